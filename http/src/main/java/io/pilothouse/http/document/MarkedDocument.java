package io.pilothouse.http.document;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes the document that an edition serves of the one that is written. A limit is a mark in it that names the rule, so
 * that it cannot differ from the check: {@code x-rule} stands for the keywords of a rule, {@code x-given},
 * {@code x-changed} and {@code x-shown} for an object whose fields are data, {@code x-seed} and {@code x-cloud} for
 * what that edition alone says. {@code x-reads}, {@code x-lists}, {@code x-changes} and {@code x-creates} stand for
 * what operations of that sort have in common ({@link UsualAnswers}); {@code x-tagged}, {@code x-result} and {@code
 * x-list} for the envelope of an answer. What is written beside a mark is added to what it stands for.
 */
final class MarkedDocument {
    private static final Set<String> ADD_UP = Set.of("required", "parameters");

    private final Edition edition;
    private final NamedRules named;

    MarkedDocument(RuleBook book) {
        this.edition = book.edition();
        this.named = NamedRules.of(book);
    }

    Tree.Members served(Tree.Members written) {
        Map<String, Tree> served = new LinkedHashMap<>();
        written.values().forEach((name, value) -> {
            switch (name) {
                case "x-rule" -> add(served, RuleSchema.of(find(named.rules(), value), types(written)));
                case "x-given" -> add(served, shape(value, ShapeSchema.Form.GIVEN));
                case "x-changed" -> add(served, shape(value, ShapeSchema.Form.CHANGED));
                case "x-shown" -> add(served, shape(value, ShapeSchema.Form.SHOWN));
                case "x-reads" -> add(served, UsualAnswers.reads(value));
                case "x-lists" -> add(served, UsualAnswers.lists(value));
                case "x-changes" -> add(served, UsualAnswers.changes(value));
                case "x-creates" -> add(served, UsualAnswers.creates(value));
                case "x-tagged" -> add(served, UsualAnswers.tagged(value));
                case "x-result" -> add(served, UsualAnswers.result(value));
                case "x-list" -> add(served, UsualAnswers.list(value));
                case "x-seed" -> add(served, onlyOf(Edition.SEED, value));
                case "x-cloud" -> add(served, onlyOf(Edition.CLOUD, value));
                default -> add(served, name, served(value));
            }
        });
        return new Tree.Members(served);
    }

    private Tree served(Tree written) {
        return switch (written) {
            case Tree.Members members -> served(members);
            case Tree.Items(List<Tree> items) ->
                new Tree.Items(items.stream().map(this::served).toList());
            case Tree.Text _, Tree.Figure _, Tree.Flag _, Tree.Nothing _ -> written;
        };
    }

    private Tree.Members onlyOf(Edition only, Tree value) {
        return only == edition && value instanceof Tree.Members members ? served(members) : Tree.Members.NONE;
    }

    private Tree.Members shape(Tree name, ShapeSchema.Form form) {
        return ShapeSchema.of(find(named.shapes(), name), form);
    }

    private static <T> T find(Map<String, T> all, Tree name) {
        T found = name instanceof Tree.Text(String text) ? all.get(text) : null;
        if (found == null) {
            throw new IllegalStateException("A document is marked with " + name + ", which is not there");
        }
        return found;
    }

    private static List<String> types(Tree.Members schema) {
        return schema.text("type").map(List::of).orElseGet(() -> schema.texts("type"));
    }

    private static void add(Map<String, Tree> known, Tree.Members more) {
        more.values().forEach((name, value) -> add(known, name, value));
    }

    /** Two may not both say the same: only what is inside, what is required and the parameters add up. */
    private static void add(Map<String, Tree> known, String name, Tree more) {
        Tree before = known.put(name, more);
        if (before == null) {
            return;
        }
        if (before instanceof Tree.Members inside && more instanceof Tree.Members others) {
            Map<String, Tree> both = new LinkedHashMap<>(inside.values());
            add(both, others);
            known.put(name, new Tree.Members(both));
        } else if (ADD_UP.contains(name) && before instanceof Tree.Items one && more instanceof Tree.Items other) {
            known.put(
                    name,
                    new Tree.Items(Stream.concat(one.values().stream(), other.values().stream())
                            .distinct()
                            .toList()));
        } else {
            throw new IllegalStateException(name + " is written beside a mark that says it too");
        }
    }
}
