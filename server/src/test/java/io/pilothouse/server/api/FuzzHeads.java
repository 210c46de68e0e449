package io.pilothouse.server.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Hostile paths, queries, methods and header fields in requests that are HTTP all the same. */
final class FuzzHeads {
    private static final String JSON = "Content-Type: application/json";

    private final FuzzGround ground;
    private final Map<String, Maker> makers = new LinkedHashMap<>();

    /** Makes one request under its name. */
    @FunctionalInterface
    private interface Maker {
        FuzzRequest make(String name, RandomGenerator random);
    }

    FuzzHeads(FuzzGround ground) {
        this.ground = ground;
        credentials();
        fields();
        paths();
        queries();
    }

    List<String> names() {
        return List.copyOf(makers.keySet());
    }

    FuzzRequest request(String name, RandomGenerator random) {
        Maker maker = makers.get(name);
        if (maker == null) {
            throw new IllegalArgumentException(name);
        }
        return maker.make(name, random);
    }

    private FuzzRequest aimed(String name, FuzzGround.Aim aim, String target, List<String> fields) {
        return aim.body() == null
                ? FuzzRequest.http(name, aim.method(), target, fields)
                : FuzzRequest.http(
                        name, aim.method(), target, fields, aim.body().getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(byte[] pair) {
        return Base64.getEncoder().encodeToString(pair);
    }

    private void credentials() {
        makers.put("no credentials", (name, random) -> unknown(name, random, ""));
        makers.put(
                "credentials of another scheme",
                (name, random) -> unknown(
                        name,
                        random,
                        "Authorization: "
                                + FuzzGround.one(
                                        List.of("Bearer", "Digest", "Negotiate", "basi", "Basic\tx", "AWS4"), random)
                                + " " + encoded(FuzzGround.noise(12, random))));
        makers.put(
                "credentials that are noise",
                (name, random) -> unknown(
                        name,
                        random,
                        "Authorization: Basic " + encoded(FuzzGround.noise(random.nextInt(200), random))));
        makers.put(
                "credentials that are no base64",
                (name, random) -> unknown(
                        name,
                        random,
                        "Authorization: Basic "
                                + FuzzGround.one(
                                        List.of("=", "====", "a", "a=b", "%", "Zm9v!", "-_-_", ":", "a b"), random)
                                + FuzzGround.letters(random.nextInt(30), random)));
        makers.put(
                "credentials without end",
                (name, random) ->
                        unknown(name, random, "Authorization: Basic " + "QUJD".repeat(500 + random.nextInt(2000))));
        makers.put(
                "the right credentials twice",
                (name, random) -> unknown(name, random, ground.authorization() + "\r\n" + ground.authorization()));
        makers.put(
                "the right credentials and something more",
                (name, random) -> unknown(
                        name,
                        random,
                        ground.authorization()
                                + FuzzGround.one(List.of("A", "=", " x", ",", ", Basic AAAA", "\t."), random)));
        makers.put(
                "a secret that is nearly right",
                (name, random) -> unknown(name, random, "Authorization: Basic " + nearlyRight(random)));
    }

    private String nearlyRight(RandomGenerator random) {
        String token = ground.authorization().substring("Authorization: Basic ".length());
        byte[] pair = Base64.getDecoder().decode(token);
        int at = random.nextInt(pair.length);
        pair[at] = (byte) (pair[at] ^ (1 << random.nextInt(7)));
        return encoded(pair);
    }

    private FuzzRequest unknown(String name, RandomGenerator random, String field) {
        FuzzGround.Aim aim = ground.any(random);
        return aimed(name, aim, aim.target(), field.isEmpty() ? List.of(JSON) : List.of(field, JSON));
    }

    private void fields() {
        makers.put("another media type", (name, random) -> {
            FuzzGround.Aim aim = ground.anyWithBody(random);
            String type = FuzzGround.one(
                    List.of(
                            "text/json",
                            "application/xml",
                            "multipart/form-data; boundary=x",
                            "application/json; charset=utf-7",
                            "application/json, text/plain",
                            "application",
                            "/",
                            FuzzGround.letters(40, random)),
                    random);
            return aimed(name, aim, aim.target(), List.of(ground.authorization(), "Content-Type: " + type));
        });
        makers.put("a malformed condition", (name, random) -> {
            FuzzGround.Aim aim = ground.of(FuzzGround.one(
                    List.of("organizationUpdate", "instanceUpdate", "openapiKeyUpdate", "openapiKeyDelete"), random));
            String tag = FuzzGround.one(List.of("x", "\"", "\"a", "a\"", "W/", "W/x", "**", "\"a\"\"b\""), random)
                    + FuzzGround.letters(random.nextInt(10), random);
            return aimed(name, aim, aim.target(), List.of(ground.authorization(), JSON, "If-Match: " + tag));
        });
        makers.put("a version that nothing has", (name, random) -> {
            FuzzGround.Aim aim = ground.of(FuzzGround.one(
                    List.of("organizationUpdate", "instanceUpdate", "instanceDelete", "openapiKeyDelete"), random));
            String tag = "\"" + FuzzGround.letters(1 + random.nextInt(30), random) + "\"";
            return aimed(name, aim, aim.target(), List.of(ground.authorization(), JSON, "If-Match: " + tag));
        });
        makers.put("a malformed idempotency key", (name, random) -> {
            FuzzGround.Aim aim = ground.of(FuzzGround.one(
                    List.of("instanceCreate", "openapiKeyCreate", "instancePrivateEndpointCreate"), random));
            String key =
                    FuzzGround.one(List.of("a b", "a\tb", "k".repeat(256), "k".repeat(5000), "\u00e9", ""), random);
            return aimed(name, aim, aim.target(), List.of(ground.authorization(), JSON, "Idempotency-Key: " + key));
        });
        makers.put("a way around the method", (name, random) -> {
            FuzzGround.Aim aim = ground.of("instanceStateUpdate");
            return FuzzRequest.http(
                    name,
                    "GET",
                    aim.target(),
                    List.of(ground.authorization(), "X-HTTP-Method-Override: PATCH", "X-Method-Override: PATCH"));
        });
    }

    private void paths() {
        makers.put("a path that leads nowhere", (name, random) -> {
            StringBuilder path =
                    new StringBuilder(FuzzGround.one(List.of("", "/v1", "/v1/organizations/x", "/api"), random));
            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                path.append('/').append(FuzzGround.letters(1 + random.nextInt(30), random));
            }
            String target = path.append("/nowhere").toString();
            return FuzzRequest.http(name, method(random), target, List.of(ground.authorization()));
        });
        makers.put("a path spelled otherwise", (name, random) -> {
            String other = FuzzGround.one(otherSpellings(ground.any(random).target()), random);
            return FuzzRequest.http(name, method(random), other, List.of(ground.authorization()));
        });
        makers.put("a malformed id", (name, random) -> {
            FuzzGround.Aim aim = ground.of(FuzzGround.one(
                    List.of("instanceGet", "instanceDelete", "openapiKeyGet", "openapiKeyDelete", "activityGet"),
                    random));
            String parent = aim.target().substring(0, aim.target().lastIndexOf('/') + 1);
            return FuzzRequest.http(name, aim.method(), parent + badId(random), List.of(ground.authorization()));
        });
        makers.put("a malformed organization id", (name, random) -> {
            String target = "/v1/organizations/" + badId(random)
                    + FuzzGround.one(List.of("", "/services", "/keys", "/activities", "/services/x"), random);
            return FuzzRequest.http(name, "GET", target, List.of(ground.authorization()));
        });
        makers.put("a method that is not there", (name, random) -> {
            String method = FuzzGround.one(
                    List.of("PUT", "OPTIONS", "TRACE", "PROPFIND", "PURGE", "M-SEARCH", "A!#$%&'*+-.^_`|~9"), random);
            return FuzzRequest.http(name, method, ground.any(random).target(), List.of(ground.authorization()));
        });
    }

    /** Spellings of this path that are not this path; one that has no organization in it has fewer of them. */
    private static List<String> otherSpellings(String target) {
        return Stream.of(
                        target + "//",
                        "/" + target,
                        target.replaceFirst("/v1", "/v1/."),
                        target.replaceFirst("/v1", "/x/../v1"),
                        target.replaceFirst("/v1", "/%76%31"),
                        target.replaceFirst("organizations", "Organizations"),
                        target.replaceFirst("organizations", "organizations;a=b"),
                        target.replaceFirst("/organizations", "%2forganizations"),
                        target + "%00",
                        target + "/..%2f")
                .filter(other -> !other.equals(target))
                .toList();
    }

    private static String badId(RandomGenerator random) {
        String good = new UUID(random.nextLong(), random.nextLong()).toString();
        return FuzzGround.one(
                List.of(
                        good,
                        good.substring(1),
                        good + "0",
                        good.replace('-', '_'),
                        good.replace("-", ""),
                        "%7B" + good + "%7D",
                        good.substring(0, 35) + "g",
                        "urn:uuid:" + good,
                        "0",
                        "-1",
                        "null",
                        "undefined",
                        "%00",
                        "%c0%ae%c0%ae",
                        "%ff%fe",
                        "..%2f..%2f..%2fetc%2fpasswd",
                        "'%20OR%201=1--",
                        "1;DROP%20TABLE%20services",
                        "$%7Bjndi:ldap:%2f%2fx%7D",
                        "x".repeat(1 + random.nextInt(4000))),
                random);
    }

    private static String method(RandomGenerator random) {
        return FuzzGround.one(List.of("GET", "DELETE", "POST", "PATCH", "PUT"), random);
    }

    private void queries() {
        makers.put("a malformed filter", (name, random) -> {
            String value =
                    FuzzGround.one(List.of("tag", "tag:", "tag:=x", "name:x", "%00", "%ff", "'--", "tag%3A"), random);
            return FuzzRequest.http(
                    name,
                    "GET",
                    ground.of("instanceGetList").target() + "?filter=" + value,
                    List.of(ground.authorization()));
        });
        makers.put("a malformed date", (name, random) -> {
            String value = FuzzGround.one(
                    List.of(
                            "0",
                            "now",
                            "2026-1-1",
                            "2026-02-30",
                            "2026-01-01T00:00:00",
                            "2026-02-30T00:00:00Z",
                            "%00",
                            "%e2%82",
                            "x".repeat(5000)),
                    random);
            String target = ground.of("activityGetList").target()
                    + FuzzGround.one(List.of("?from_date=", "?to_date="), random)
                    + value;
            return FuzzRequest.http(name, "GET", target, List.of(ground.authorization()));
        });
    }
}
