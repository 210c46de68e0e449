package io.pilothouse.pipes.worker.formats;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.util.List;
import java.util.Map;

/** Formats of pipes with a schema registry, for tests. */
final class GivenFormat {
    private GivenFormat() {}

    static RegisteredMessages<?> of(String format, String url, String structure) throws Owner {
        return (RegisteredMessages<?>) MessageFormat.of(assignment(format, url, structure));
    }

    static Assignment assignment(String format, String url, String structure) {
        Tree.Members source = new Tree.Members(Map.of(
                "format",
                new Tree.Text(format),
                "schemaRegistry",
                new Tree.Members(Map.of("url", new Tree.Text(url)))));
        Tree.Members secrets = new Tree.Members(Map.of(
                "schemaRegistry",
                new Tree.Members(Map.of(
                        "credentials",
                        new Tree.Members(Map.of("username", new Tree.Text("u"), "password", new Tree.Text("p")))))));
        return new Assignment(
                "p",
                "kafka",
                source,
                secrets,
                Tree.Members.NONE,
                new Assignment.Target("d", "t", List.of(), List.of(), structure),
                0,
                Assignment.Errand.MOVE,
                0,
                new Assignment.Share(0, 1, 1, 0.5, 125));
    }
}
