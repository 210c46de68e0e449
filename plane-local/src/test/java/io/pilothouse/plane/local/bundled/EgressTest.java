package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EgressTest {
    private static boolean allows(String egress, String address, int port) {
        return Egress.parse(egress).allows(new InetSocketAddress(InetAddress.ofLiteral(address), port));
    }

    @Test
    void publicIsOnePortOfPublicAddresses() {
        assertThat(allows("public", "8.8.8.8", 443)).isTrue();
        assertThat(allows("public", "2606:4700::1", 443)).isTrue();
        assertThat(allows("public", "8.8.8.8", 80)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "::1",
                "0.0.0.0",
                "::",
                "10.1.2.3",
                "192.168.0.1",
                "172.16.0.1",
                "169.254.169.254",
                "100.100.100.200",
                "fe80::1",
                "fd00:ec2::254",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::"
            })
    void publicIsNotThisMachineItsNeighboursOrMetadata(String address) {
        assertThat(allows("public", address, 443)).isFalse();
    }

    @Test
    void placeIsOneHostAndOnePort() {
        assertThat(allows("10.0.0.5:9000", "10.0.0.5", 9000)).isTrue();
        assertThat(allows("10.0.0.5:9000", "10.0.0.5", 443)).isFalse();
        assertThat(allows("10.0.0.5:9000", "10.0.0.6", 9000)).isFalse();
        assertThat(allows("10.0.0.5:9000", "8.8.8.8", 443)).isFalse();
        assertThat(allows("public,[::1]:5555", "::1", 5555)).isTrue();
        assertThat(allows("public,localhost:5555", "127.0.0.1", 5555)).isTrue();
        assertThat(allows("none", "8.8.8.8", 443)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "public", "public,s3.internal:9000", "10.0.0.5:9000,[0:0:0:0:0:0:0:1]:5555"})
    void textIsReadBackAsItIs(String text) {
        assertThat(Egress.parse(text)).hasToString(text);
        assertThat(Egress.parse(Egress.parse(text).toString())).isEqualTo(Egress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "all", "none,public", "public,", "s3.internal", "s3.internal:0", "s3:65536", "a b:1", "[x]:1"
            })
    void nothingElseIsRead(String text) {
        assertThatThrownBy(() -> Egress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
