package io.pilothouse.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookAddressesTest {
    private static final WebhookAddresses PUBLIC = WebhookAddresses.allowing(List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::10.0.0.1",
                "64:ff9b::a00:1",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:10::1",
                "2001:db8::1",
                "2002:a00:1::1",
                "3fff::1",
                "5f00::1",
                "fc00::1",
                "fdff::1",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1"
            })
    void privateAddressesAreRefused(String address) {
        assertThat(PUBLIC.allow("name.example", InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "128.0.0.1",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "192.167.255.255",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "::ffff:1.1.1.1",
                "2001:200::1",
                "2606:4700::1111",
                "2a00:1450::1"
            })
    void publicAddressesAreAllowed(String address) {
        assertThat(PUBLIC.allow("name.example", InetAddress.ofLiteral(address))).isTrue();
    }

    @Test
    void theOperatorMayAllowBlocksAndNames() {
        WebhookAddresses addresses = WebhookAddresses.allowing(List.of("10.1.0.0/16", "fd00::1", "Hooks.Internal"));

        assertThat(addresses.allow("any", InetAddress.ofLiteral("10.1.2.3"))).isTrue();
        assertThat(addresses.allow("any", InetAddress.ofLiteral("10.2.2.3"))).isFalse();
        assertThat(addresses.allow("any", InetAddress.ofLiteral("fd00::1"))).isTrue();
        assertThat(addresses.allow("any", InetAddress.ofLiteral("fd00::2"))).isFalse();
        assertThat(addresses.allow("hooks.INTERNAL", InetAddress.ofLiteral("192.168.0.1")))
                .isTrue();
        assertThat(addresses.allow("internal", InetAddress.ofLiteral("192.168.0.1")))
                .isFalse();
    }
}
