package io.pilothouse.core.right;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ClientTest {
    @Test
    void aClientKeepsWhatCanBeReadOfItsName() throws UnknownHostException {
        InetAddress address = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        assertThat(Client.of(address, " curl\n/8\u00e9 ")).isEqualTo(new Client(address, "curl/8"));
        assertThat(Client.of(address, null).host()).isEqualTo("192.0.2.1");
        assertThat(Client.of(address, null).agent()).isNull();
        assertThat(Client.of(address, "\t").agent()).isNull();
        assertThat(Client.of(address, "a".repeat(256)).agent()).hasSize(255);
        byte[] local = new byte[16];
        local[0] = (byte) 0xfe;
        local[1] = (byte) 0x80;
        assertThat(Client.of(Inet6Address.getByAddress("", local, 2), null).host())
                .isEqualTo("fe80:0:0:0:0:0:0:0");
    }
}
