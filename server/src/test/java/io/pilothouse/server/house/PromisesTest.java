package io.pilothouse.server.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of promises names tests that are there. */
class PromisesTest {
    private static final Pattern HELD_BY = Pattern.compile("`(\\w+(?:Test|IT))\\.(\\w+)`");
    private static final Pattern HEADING = Pattern.compile("\\|(---\\||( Promise \\|)).*");

    @Test
    void everyPromiseIsHeldByTestsThatExist() throws IOException {
        List<String> promises = Files.readAllLines(House.root().resolve("docs/promises.md")).stream()
                .filter(line -> line.startsWith("|") && !HEADING.matcher(line).matches())
                .toList();
        assertThat(promises).hasSizeGreaterThan(20).allSatisfy(promise -> {
            List<MatchResult> tests = HELD_BY.matcher(promise).results().toList();
            assertThat(tests).as("tests of: %s", promise).isNotEmpty();
            for (MatchResult test : tests) {
                assertThat(source(test.group(1)))
                        .as(test.group())
                        .containsPattern("Test(\\(.*\\))?\\s(\\s*@.*\\s)*\\s*void " + test.group(2) + "\\(");
            }
        });
    }

    /** All sources of this name: rooms may share one. */
    private static String source(String type) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : House.files()) {
            if (file.endsWith(type + ".java")) {
                text.append(Files.readString(House.root().resolve(file)));
            }
        }
        return text.toString();
    }
}
