package io.pilothouse.server.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The limits of a source file. */
class FilesTest {
    private static final int CEILING_IN_LINES = 400;
    private static final int CEILING_IN_FILES = 36;

    private static final Pattern SHORT = Pattern.compile(".*\\.(java|sh)|pilothouse|\\.ci/run");

    private static final Pattern CODE =
            Pattern.compile(".*\\.(java|xml|sql|sh|ya?ml|json|js|ts|css|html|toml|properties)|pilothouse|\\.ci/run");

    // Written in two halves, or this file would break its own rule.
    private static final Pattern LOOSE_END = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b(?!\\(#\\d+\\))");

    @Test
    void noSourceFileOrScriptIsLongerThanTheCeiling() throws IOException {
        Path root = House.root();
        List<String> tooLong = new ArrayList<>();
        for (Path file : House.files()) {
            if (SHORT.matcher(file.toString().replace('\\', '/')).matches()) {
                int lines = Files.readAllLines(root.resolve(file)).size();
                if (lines > CEILING_IN_LINES) {
                    tooLong.add(file + " has " + lines + " lines");
                }
            }
        }
        assertThat(tooLong)
                .as("a file past %d lines is two files", CEILING_IN_LINES)
                .isEmpty();
    }

    @Test
    void noRoomIsLargerThanTheCeiling() {
        Map<Path, Long> sizes = House.files().stream()
                .filter(file ->
                        file.toString().endsWith(".java") && file.toString().contains("/main/"))
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        assertThat(sizes)
                .as("a folder past %d files is two rooms", CEILING_IN_FILES)
                .allSatisfy((room, files) -> assertThat(files).as("%s", room).isLessThanOrEqualTo(CEILING_IN_FILES));
    }

    @Test
    void everyDecisionHasANumberOfItsOwn() throws IOException {
        List<Path> pages = House.files().stream()
                .filter(file -> file.startsWith("decisions") && file.toString().endsWith(".md"))
                .toList();
        List<String> numbers = new ArrayList<>();
        for (Path page : pages) {
            String number = page.getFileName().toString().substring(0, 4);
            numbers.add(number);
            assertThat(Files.readAllLines(House.root().resolve(page)).getFirst())
                    .as("the title of %s", page)
                    .startsWith("# " + number + " · ");
        }
        assertThat(numbers).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void everyLooseEndNamesItsIssue() throws IOException {
        Path root = House.root();
        List<String> loose = new ArrayList<>();
        for (Path file : House.files()) {
            if (CODE.matcher(file.toString().replace('\\', '/')).matches()) {
                List<String> lines = Files.readAllLines(root.resolve(file));
                for (int line = 0; line < lines.size(); line++) {
                    if (LOOSE_END.matcher(lines.get(line)).find()) {
                        loose.add(file + ":" + (line + 1));
                    }
                }
            }
        }
        assertThat(loose).as("loose ends without (#issue) behind them").isEmpty();
    }
}
