package io.pilothouse.server.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Words that the house no longer uses, because a native engineer stumbles over them. */
class WordsTest {
    /** The list grows as rooms become clean; no word ever leaves it. */
    private static final Pattern ODD = Pattern.compile(
            "\\b(reckon\\w*|likewise|in turns|first come by|so long at most|brings? to a stand|anew|lately|whoever|no fault"
                    + "|noughts?|heeds?|be it|of whatever|is to go|so many|for so long|so long as|that (is|are) none"
                    // A limit is a MAX.
                    + "|(?-i:(MOST|LONGEST)(_\\w+)?))\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern READ = Pattern.compile(".*\\.(java|md|sql|txt)");

    @Test
    void noOddWordIsUsed() throws IOException {
        Path root = House.root();
        List<String> odd = new ArrayList<>();
        for (Path file : House.files()) {
            if (!READ.matcher(file.toString()).matches() || file.endsWith("WordsTest.java")) {
                continue;
            }
            List<String> lines = Files.readAllLines(root.resolve(file));
            for (int line = 0; line < lines.size(); line++) {
                if (ODD.matcher(lines.get(line)).find()) {
                    odd.add(file + ":" + (line + 1) + ": " + lines.get(line).strip());
                }
            }
        }
        assertThat(odd).as("words that docs/glossary.md has no use for").isEmpty();
    }
}
