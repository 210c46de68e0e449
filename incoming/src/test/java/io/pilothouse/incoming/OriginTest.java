package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class OriginTest {
    @Test
    void allOfAnIpv6NetworkIsOneOrigin() {
        assertThat(of("2001:db8:1:2::1")).isEqualTo(of("2001:db8:1:2:ffff::7"));
        assertThat(of("2001:db8:1:2::1")).isNotEqualTo(of("2001:db8:1:3::1"));
        assertThat(of("::1")).isNotEqualTo(of("0.0.0.0"));
    }

    @Test
    void everyIpv4AddressIsItsOwnHoweverItIsWritten() throws UnknownHostException {
        assertThat(of("192.0.2.1")).isNotEqualTo(of("192.0.2.2"));
        assertThat(of("::ffff:192.0.2.1")).isEqualTo(of("192.0.2.1"));
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 192, 0, 2, 1};
        assertThat(Origin.of(java.net.Inet6Address.getByAddress("", mapped, 0))).isEqualTo(of("192.0.2.1"));
    }

    private static Origin of(String text) {
        return Origin.of(InetAddress.ofLiteral(text));
    }
}
