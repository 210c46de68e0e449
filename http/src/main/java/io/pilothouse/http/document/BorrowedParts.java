package io.pilothouse.http.document;

import io.pilothouse.core.base.Tree;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;

/** Completes a document by what it refers to and does not have: refusals and values are written once, in another one. */
final class BorrowedParts {
    private static final String COMPONENTS = "components";
    private static final String BEFORE = "#/" + COMPONENTS + "/";

    private final Tree.Members lender;

    /** {@code lender} is the other document, as it is served. */
    BorrowedParts(Tree.Members lender) {
        this.lender = lender.members(COMPONENTS).orElse(Tree.Members.NONE);
    }

    Tree.Members completing(Tree.Members document) {
        Tree.Members components = document.members(COMPONENTS).orElse(Tree.Members.NONE);
        Deque<String> open = new ArrayDeque<>(references(document).toList());
        while (!open.isEmpty()) {
            String reference = open.remove();
            String[] names = reference.substring(BEFORE.length()).split("/", 2);
            Tree.Members known = components.members(names[0]).orElse(Tree.Members.NONE);
            if (!known.has(names[1])) {
                Tree part = lender.members(names[0])
                        .flatMap(kind -> kind.find(names[1]))
                        .orElseThrow(() -> new IllegalStateException("Neither document has " + reference));
                components = components.with(names[0], known.with(names[1], part));
                references(part).forEach(open::add);
            }
        }
        return document.with(COMPONENTS, components);
    }

    private static Stream<String> references(Tree tree) {
        return switch (tree) {
            case Tree.Members members ->
                Stream.concat(
                        members.text("$ref").stream().filter(text -> text.startsWith(BEFORE)),
                        members.values().values().stream().flatMap(BorrowedParts::references));
            case Tree.Items items -> items.values().stream().flatMap(BorrowedParts::references);
            case Tree.Text _, Tree.Figure _, Tree.Flag _, Tree.Nothing _ -> Stream.empty();
        };
    }
}
