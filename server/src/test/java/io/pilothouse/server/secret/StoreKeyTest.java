package io.pilothouse.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.store.StoreRefused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreKeyTest {
    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    private Path file(byte[] content) throws IOException {
        Path file = folder.resolve("store.key");
        PrivateFile.write(file, content);
        return file;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void keyIsReadAsItIsAndInBase64() throws IOException {
        byte[] key = new byte[32];
        random.nextBytes(key);
        String base64 = Base64.getEncoder().encodeToString(key);
        assertThat(StoreKey.read(file(key))).isEqualTo(key);
        assertThat(StoreKey.read(file(text(base64 + "\n")))).isEqualTo(key);
        assertThat(StoreKey.of(base64, "VARIABLE")).isEqualTo(key);
    }

    @Test
    void whatIsNoKeyIsRefusedWithoutShowingIt() throws IOException {
        for (String wrong : new String[] {"", "hunter2", "hunter2!".repeat(9), "aHVudGVyMg=="}) {
            assertThatThrownBy(() -> StoreKey.read(file(text(wrong))))
                    .isInstanceOf(StoreRefused.class)
                    .hasMessageContaining("is not a store-key")
                    .hasNoCause()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .doesNotContain("hunter")
                    .doesNotContain("aHV");
        }
    }

    @Test
    void fileThatOthersMayReadIsRefused() throws IOException {
        Path file = file(new byte[32]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> StoreKey.read(file)).hasMessageContaining("chmod 600");
        Files.delete(file);
        assertThatThrownBy(() -> StoreKey.read(file)).hasMessageContaining("cannot be read");
    }

    @Test
    void keyIsMadeOnce() throws IOException {
        Path file = folder.resolve("new.key");
        byte[] made = StoreKey.readOrMake(file, random);
        assertThat(made).hasSize(32).isNotEqualTo(new byte[32]);
        assertThat(StoreKey.readOrMake(file, random)).isEqualTo(made);
        assertThat(PrivateFile.isOpenToOthers(file)).isFalse();
    }
}
