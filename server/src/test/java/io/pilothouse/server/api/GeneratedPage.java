package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.Clone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A page under docs that a test makes: it must be the one that is kept, and the failure says how to copy it. */
final class GeneratedPage {
    private GeneratedPage() {}

    static void requireUpToDate(String name, String page) throws IOException {
        Path root = Clone.root();
        Path made = root.resolve("server/target").resolve(name);
        Files.createDirectories(made.getParent());
        Files.writeString(made, page);
        Path known = root.resolve("docs").resolve(name);
        List<String> kept = Files.exists(known) ? Files.readAllLines(known) : List.of();
        List<String> now = page.lines().toList();
        int same = 0;
        while (same < Math.min(kept.size(), now.size()) && kept.get(same).equals(now.get(same))) {
            same++;
        }
        assertThat(now.subList(same, Math.min(same + 1, now.size())))
                .as(
                        "docs/%s from line %d on: cp server/target/%1$s docs/%1$s, then read the difference",
                        name, same + 1)
                .isEqualTo(kept.subList(same, Math.min(same + 1, kept.size())));
    }
}
