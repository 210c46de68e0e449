package io.pilothouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pilothouse.core.base.IpBlock;
import io.pilothouse.testkit.Walk;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessListTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,          10.255.255.255, true",
        "10.0.0.0/8,          11.0.0.0,       false",
        "10.1.2.3/8,          10.200.0.1,     true",
        "192.0.2.7,           192.0.2.7,      true",
        "192.0.2.7,           192.0.2.8,      false",
        "192.0.2.7/32,        192.0.2.7,      true",
        "0.0.0.0/0,           255.255.255.255, true",
        "0.0.0.0/0,           2001:db8::1,    false",
        "128.0.0.0/1,         200.0.0.1,      true",
        "128.0.0.0/1,         127.255.255.255, false",
        "192.0.2.128/25,      192.0.2.127,    false",
        "192.0.2.128/25,      192.0.2.128,    true",
        "2001:db8::/32,       2001:db8:ffff::1, true",
        "2001:db8::/32,       2001:db9::,     false",
        "2001:db8::1,         2001:db8::1,    true",
        "2001:db8::/33,       2001:db8:8000::, false",
        "::1,                 ::1,            true",
        "::/0,                2001:db8::1,    true",
        "::/0,                10.0.0.1,       false",
        "::ffff:10.0.0.0/104, 10.9.9.9,       true",
        "::ffff:10.0.0.0/104, 11.0.0.0,       false",
        "::ffff:192.0.2.7,    192.0.2.7,      true",
        "::ffff:0.0.0.0/96,   203.0.113.9,    true"
    })
    void blockHoldsWhatItsPrefixSays(String source, String peer, boolean allowed) {
        AccessList list = AccessList.of(List.of(source));
        assertThat(list.allows(InetAddress.ofLiteral(peer))).isEqualTo(allowed);
    }

    @Test
    void emptyListLetsNoClientIn() {
        for (String peer : List.of("127.0.0.1", "::1", "0.0.0.0", "255.255.255.255", "::", "2001:db8::1")) {
            assertThat(AccessList.NOBODY.allows(InetAddress.ofLiteral(peer))).isFalse();
        }
    }

    @Test
    void ipv4PeerInIpv6ClothingIsIpv4() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 10, 0, 0, 1};
        InetAddress peer = Inet6Address.getByAddress(null, mapped, -1);
        assertThat(peer).isInstanceOf(Inet6Address.class);
        assertThat(AccessList.of(List.of("10.0.0.0/8")).allows(peer)).isTrue();
        assertThat(AccessList.of(List.of("11.0.0.0/8", "::/0")).allows(peer)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "", "10.0.0.0/33", "10.0.0", "::1/129", "fe80::1%eth0", "[::1]", "example.com/8"})
    void aMalformedAddressIsRefusedWithoutALookUp(String source) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AccessList.of(List.of(source)))
                .withMessage("Not an IP address or CIDR block: " + source);
    }

    @Test
    void thousandEntriesAnswerAsEveryEntryAskedInTurn() throws UnknownHostException {
        Walk walk = Walk.begin(AccessListTest.class);
        for (int list = 0; list < Walk.length(1, 100); list++) {
            thousandEntriesAnswer(walk.random(list), walk);
        }
    }

    private static void thousandEntriesAnswer(RandomGenerator random, Walk walk) throws UnknownHostException {
        List<String> sources = new ArrayList<>();
        List<IpBlock> blocks = new ArrayList<>();
        for (int count = 0; count < 1_000; count++) {
            boolean ipv6 = count % 2 == 0;
            // few distinct addresses and many lengths: nested and neighbouring blocks
            String address = ipv6
                    ? "2001:db8:" + Integer.toHexString(random.nextInt(64)) + "::"
                            + Integer.toHexString(random.nextInt(9))
                    : "10." + random.nextInt(4) + "." + random.nextInt(256) + "." + random.nextInt(256);
            String source = address + "/" + (ipv6 ? 40 + random.nextInt(89) : 20 + random.nextInt(13));
            sources.add(source);
            blocks.add(IpBlock.parse(source).orElseThrow());
        }
        AccessList list = AccessList.of(sources);
        int allowed = 0;
        for (int count = 0; count < 20_000; count++) {
            InetAddress peer = count % 2 == 0
                    ? InetAddress.ofLiteral("2001:db8:" + Integer.toHexString(random.nextInt(70)) + "::"
                            + Integer.toHexString(random.nextInt(12)))
                    : InetAddress.getByAddress(new byte[] {
                        10, (byte) random.nextInt(5), (byte) random.nextInt(256), (byte) random.nextInt(256)
                    });
            boolean expected = blocks.stream().anyMatch(block -> block.contains(peer));
            assertThat(list.allows(peer)).as("%s, %s", peer, walk).isEqualTo(expected);
            allowed += expected ? 1 : 0;
        }
        assertThat(allowed).isBetween(2_000, 18_000);
    }
}
