package io.pilothouse.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.Clone;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The page about the configuration says what the program does; when this fails, put the expected table into it. */
class ConfigurationPageTest {
    private static final String BEGIN = "<!-- options: this table is held to the program by a test -->\n";
    private static final String END = "<!-- end of options -->";

    private static String page() throws IOException {
        return Files.readString(Clone.root().resolve("docs/configuration.md"));
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| Setting | Flag | Variable | Default | What it is |\n");
        table.append("|---|---|---|---|---|\n");
        for (Option<?> option : Options.ALL) {
            String value = option.isSwitch() ? "" : " " + option.metavar().replace("|", "\\|");
            table.append("| ")
                    .append(option.isInFile() ? "`" + option.key() + "`" : "")
                    .append(" | ")
                    .append(option.isFlag() ? "`" + option.flag() + value + "`" : "")
                    .append(" | `")
                    .append(option.variable())
                    .append("` | ")
                    .append(option.fallback() == null ? "" : "`" + option.fallback() + "`")
                    .append(" | ")
                    .append(option.help())
                    .append(" |\n");
        }
        return table.toString();
    }

    @Test
    void thePageHasExactlyTheOptionsOfTheProgram() throws IOException {
        String page = page();
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        assertThat(begin).isPositive();
        assertThat(end).isGreaterThan(begin);
        assertThat(page.substring(begin + BEGIN.length(), end)).isEqualTo(table());
    }
}
