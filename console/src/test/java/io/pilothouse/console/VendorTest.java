package io.pilothouse.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What others wrote and browsers get is what the list says, with its licence beside it. */
class VendorTest {
    private static byte[] file(String name) throws IOException {
        try (InputStream in = VendorTest.class.getResourceAsStream("vendor/" + name)) {
            assertThat(in).as("%s is there", name).isNotNull();
            return in.readAllBytes();
        }
    }

    @Test
    void everyPartIsTheOneInTheList() throws Exception {
        List<String> lines = new String(file("parts.txt"), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            List<String> columns =
                    Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            assertThat(columns).as(line).hasSize(6);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(file(columns.get(0)));
            assertThat(HexFormat.of().formatHex(digest)).as(line).isEqualTo(columns.get(5));
            String licence = columns.get(0).substring(0, columns.get(0).indexOf('.')) + ".LICENSE.txt";
            assertThat(new String(file(licence), StandardCharsets.UTF_8)).contains("Permission");
        }
    }
}
