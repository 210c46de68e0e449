package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a plan would still do to one resource: to which attributes, and from what to what. */
record Difference(String address, List<String> actions, List<Attribute> attributes) {
    private static final Tree NOTHING = new Tree.Nothing();
    private static final Tree UNKNOWN = new Tree.Text("(known after apply)");
    private static final int MAX_SHOWN = 60;
    private static final Pattern SECRET_NAME =
            Pattern.compile(".*(password|secret|token|credential|private_key|access_key|certificate).*");

    /** One attribute that differs; {@code hidden} if its values are secrets. */
    record Attribute(String path, Tree before, Tree after, boolean hidden) {
        /** Whether the API said nothing of it. */
        boolean wasUnknown() {
            return before.blank();
        }

        private String line(Masked masked) {
            return hidden ? path + ": (hidden)" : path + ": " + shown(before, masked) + " -> " + shown(after, masked);
        }
    }

    /** Those of a plan, as {@code show -json} has it; without what is only read. */
    static List<Difference> of(Tree.Members plan) {
        List<Difference> all = new ArrayList<>();
        for (Tree.Members resource : plan.objects("resource_changes")) {
            Tree.Members change = resource.members("change").orElse(Tree.Members.NONE);
            List<String> actions = change.texts("actions");
            if (!actions.isEmpty() && !actions.equals(List.of("no-op")) && !actions.equals(List.of("read"))) {
                List<Attribute> attributes = new ArrayList<>();
                collect(
                        "",
                        change.find("before").orElse(NOTHING),
                        change.find("after").orElse(NOTHING),
                        change.find("after_unknown").orElse(NOTHING),
                        List.of(
                                change.find("before_sensitive").orElse(NOTHING),
                                change.find("after_sensitive").orElse(NOTHING)),
                        attributes);
                all.add(new Difference(resource.text("address").orElse("?"), actions, attributes));
            }
        }
        return all;
    }

    private static void collect(
            String path, Tree before, Tree after, Tree unknown, List<Tree> marks, List<Attribute> into) {
        boolean hidden = marks.stream().anyMatch(Difference::isMarked) || isSecretName(path);
        if (isMarked(unknown)) {
            into.add(new Attribute(path, before, UNKNOWN, hidden));
        } else if (!hidden
                && before instanceof Tree.Members was
                && (after instanceof Tree.Members || unknown instanceof Tree.Members)) {
            Tree.Members becomes = after instanceof Tree.Members members ? members : Tree.Members.NONE;
            Set<String> names = new LinkedHashSet<>(was.values().keySet());
            names.addAll(becomes.values().keySet());
            if (unknown instanceof Tree.Members members) {
                names.addAll(members.values().keySet());
            }
            for (String name : names) {
                collect(
                        path.isEmpty() ? name : path + "." + name,
                        was.find(name).orElse(NOTHING),
                        becomes.find(name).orElse(NOTHING),
                        below(unknown, name),
                        marks.stream().map(mark -> below(mark, name)).toList(),
                        into);
            }
        } else if (!path.isEmpty() && !Objects.equals(before, after)) {
            boolean secretWithin = marks.stream().anyMatch(Difference::hasMark);
            into.add(new Attribute(path, before, after, hidden || secretWithin));
        }
    }

    static boolean isSecretName(String name) {
        return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }

    private static Tree below(Tree tree, String name) {
        return tree instanceof Tree.Members members ? members.find(name).orElse(NOTHING) : NOTHING;
    }

    private static boolean isMarked(Tree mark) {
        return mark instanceof Tree.Flag flag && flag.value();
    }

    private static boolean hasMark(Tree marks) {
        return switch (marks) {
            case Tree.Flag flag -> flag.value();
            case Tree.Members members -> members.values().values().stream().anyMatch(Difference::hasMark);
            case Tree.Items items -> items.values().stream().anyMatch(Difference::hasMark);
            case Tree.Text _, Tree.Figure _, Tree.Nothing _ -> false;
        };
    }

    /**
     * Whether an import only left open what the API does not show. What the API computes is then open too, until that is
     * written.
     */
    boolean isOnlyUnknown() {
        return actions.equals(List.of("update"))
                && attributes.stream()
                        .allMatch(each -> each.wasUnknown() || each.after().equals(UNKNOWN));
    }

    /** A line for the resource, and one for each attribute. */
    List<String> lines(Masked masked) {
        List<String> lines = new ArrayList<>();
        lines.add(address + " would be " + done());
        attributes.forEach(attribute -> lines.add("  " + attribute.line(masked)));
        return lines;
    }

    private String done() {
        return switch (String.join(",", actions)) {
            case "create" -> "created";
            case "update" -> "updated";
            case "delete" -> "deleted";
            case "delete,create", "create,delete" -> "replaced";
            default -> String.join(" and ", actions);
        };
    }

    /** A value as JSON has it, shortened; secrets go first, because half of one would not be known for what it is. */
    static String shown(Tree value, Masked masked) {
        if (value.equals(UNKNOWN)) {
            return "(known after apply)";
        }
        String text =
                masked.text(new String(JsonWriter.document(out -> TreeJson.write(out, value)), StandardCharsets.UTF_8));
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }

    /** The first address of a provider that would not be the one that is certified against; empty if all are. */
    static Optional<String> strayAddress(Tree.Members plan, String expected) {
        Tree.Members providers = plan.members("configuration")
                .flatMap(all -> all.members("provider_config"))
                .orElse(Tree.Members.NONE);
        for (Tree provider : providers.values().values()) {
            Tree.Members expression = Optional.of(provider)
                    .flatMap(each -> each instanceof Tree.Members members ? Optional.of(members) : Optional.empty())
                    .flatMap(each -> each.members("expressions"))
                    .flatMap(each -> each.members("api_url"))
                    .orElse(Tree.Members.NONE);
            Optional<String> constant = expression.text("constant_value");
            List<String> values = constant.isPresent()
                    ? List.of(constant.get())
                    : expression.texts("references").stream()
                            .map(reference -> valueOf(plan, reference))
                            .toList();
            Optional<String> stray =
                    values.stream().filter(value -> !value.equals(expected)).findFirst();
            if (stray.isPresent()) {
                return stray;
            }
        }
        return Optional.empty();
    }

    /** The text of a variable of the module; what it is otherwise computed from cannot be followed. */
    private static String valueOf(Tree.Members plan, String reference) {
        return plan.members("variables")
                .filter(_ -> reference.startsWith("var."))
                .flatMap(all -> all.members(reference.substring("var.".length())))
                .flatMap(variable -> variable.text("value"))
                .orElse(reference);
    }
}
