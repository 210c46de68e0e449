package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A stretch of one part of a source, from {@code from} up to but not including {@code to}; where it answers how far a
 * part was read, {@code to} equals {@code from} unless a range is pending.
 */
public record Span(String part, long from, long to, String identity) {
    /** The part that says that the pipe may have made something at its source, to be taken away with the pipe. */
    public static final String FOOTPRINT = "footprint>";

    /** The part that says how often all parts were sent elsewhere and where to, and that a part's own name may follow. */
    public static final String SEEK = "seek>";

    /** The part that says which table holds a whole file, whose name follows; begun, none of it is in the target. */
    public static final String STAGED = "staged>";

    public boolean isPending() {
        return to > from;
    }

    public static Tree.Members tree(List<Span> spans) {
        return new Tree.Members(Map.of(
                "spans", new Tree.Items(spans.stream().<Tree>map(Span::tree).toList())));
    }

    public static List<Span> list(Tree.Members body) {
        return body.objects("spans").stream().map(Span::of).toList();
    }

    private Tree.Members tree() {
        Map<String, Tree> members = new LinkedHashMap<>();
        members.put("part", new Tree.Text(part));
        // Texts, because a position may have more digits than a floating number holds.
        members.put("from", new Tree.Text(Long.toString(from)));
        members.put("to", new Tree.Text(Long.toString(to)));
        members.put("identity", new Tree.Text(identity));
        return new Tree.Members(members);
    }

    private static Span of(Tree.Members members) {
        return new Span(
                members.text("part").orElseThrow(),
                Long.parseLong(members.text("from").orElseThrow()),
                Long.parseLong(members.text("to").orElseThrow()),
                members.text("identity").orElse(""));
    }
}
