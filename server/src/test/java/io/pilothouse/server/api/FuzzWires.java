package io.pilothouse.server.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Bytes that break HTTP itself, among them those by which one request is smuggled inside another. */
final class FuzzWires {
    /** Each is put in place of what a good request has there; $P is a path, $A the good key, $N a random number. */
    private static final List<String> BROKEN = List.of(
            "\r\n\r\n\r\n",
            "$N\r\n\r\n",
            "GET\r\n\r\n",
            "GET $P\r\n\r\n",
            "GET  $P HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1 x\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P HTTP/2.0\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P HTTP/$N\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P FTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P HTTP/0.9\r\n$A\r\n\r\n",
            "GET $P\u0001 HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P{} HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P%zz HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P?a=%z HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\nHost: a\r\nHost: b\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\nHost: a b\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\nHost: a\r\nno colon\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\nHost: a\r\nX : y\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n$A\r\n\r\n",
            "GET $P HTTP/1.1\nHost: a\n$A\n\n",
            "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n$A\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003$N\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nG",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: 2\r\nContent-Length: 20\r\n\r\n{}",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: 2, 2\r\n\r\n{}",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: +2\r\n\r\n{}",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: -2\r\n\r\n{}",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: 0x2\r\n\r\n{}",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n",
            "POST $P HTTP/1.1\r\nHost: a\r\n$A\r\n$J\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}");

    private final FuzzGround ground;

    FuzzWires(FuzzGround ground) {
        this.ground = ground;
    }

    /** One of the known ways to break HTTP. */
    FuzzRequest known(RandomGenerator random) {
        int way = random.nextInt(BROKEN.size());
        boolean post = BROKEN.get(way).startsWith("POST");
        String target =
                post ? ground.tenant().services() + "/nowhere" : ground.tenant().services();
        String text = BROKEN.get(way)
                .replace("$P", target)
                .replace("$A", ground.authorization())
                .replace("$J", "Content-Type: application/json")
                .replace("$N", Integer.toString(10 + random.nextInt(1_000_000)));
        return FuzzRequest.broken("broken HTTP " + way, text);
    }

    /** Noise, with an end so that a line or a head is not waited for. */
    FuzzRequest noise(RandomGenerator random) {
        String noise = new String(FuzzGround.noise(1 + random.nextInt(3000), random), StandardCharsets.ISO_8859_1);
        return FuzzRequest.broken("noise", noise + "\r\n\r\n\r\n");
    }

    /** A good read in whose head some bytes are another. */
    FuzzRequest mutated(RandomGenerator random) {
        byte[] bytes = FuzzRequest.bytes(
                "GET", ground.tenant().services(), List.of(ground.authorization(), "Accept: */*"), new byte[0]);
        for (int i = 0; i <= random.nextInt(4); i++) {
            bytes[random.nextInt(bytes.length - 4)] = (byte) random.nextInt(256);
        }
        return FuzzRequest.broken("a mutated head", FuzzRequest.Outcome.ANY, bytes);
    }

    /** A head or a line of it beyond what is read. */
    FuzzRequest oversized(RandomGenerator random) {
        int size = 17_000 + random.nextInt(100_000);
        String head = "GET " + ground.tenant().services() + " HTTP/1.1\r\nHost: a\r\n" + ground.authorization();
        String text = FuzzGround.one(
                List.of(
                        "GET /" + "a".repeat(size) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                        "G".repeat(size) + " / HTTP/1.1\r\nHost: a\r\n\r\n",
                        head + "\r\nX-Long: " + "b".repeat(size) + "\r\n\r\n",
                        head + "\r\nX: y".repeat(size / 6) + "\r\n\r\n"),
                random);
        return FuzzRequest.broken("an oversized head", text);
    }

    /** A request that ends before its time: the client says that no more will come. */
    FuzzRequest cutShort(RandomGenerator random) {
        byte[] whole = FuzzRequest.bytes(
                "PATCH",
                ground.tenant().path(),
                List.of(ground.authorization(), "Content-Type: application/json", "Content-Length: 100"),
                "{\"name\": \"Never done\"}".getBytes(StandardCharsets.UTF_8));
        byte[] part = Arrays.copyOf(whole, 1 + random.nextInt(whole.length - 1));
        return FuzzRequest.broken("cut short", FuzzRequest.Outcome.REFUSED_OR_CLOSED, part);
    }
}
