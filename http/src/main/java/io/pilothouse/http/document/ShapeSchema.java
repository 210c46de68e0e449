package io.pilothouse.http.document;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.Rule;
import io.pilothouse.core.base.SizeRule;
import io.pilothouse.core.base.TextRule;
import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON schema of an object whose fields are data. */
final class ShapeSchema {
    private static final Tree.Members TEXT_ITEM =
            Tree.Members.NONE.with("type", new Tree.Text("string")).with("pattern", RuleSchema.NOT_BLANK);

    private final Form form;

    private ShapeSchema(Form form) {
        this.form = form;
    }

    /** How an object goes over the wire. */
    enum Form {
        /** As it is sent to make one. */
        GIVEN,
        /** As it is sent to change one: only what can be changed, and nothing is needed. */
        CHANGED,
        /** As it is answered: without what is secret. */
        SHOWN
    }

    static Tree.Members of(List<FieldShape> shape, Form form) {
        return new ShapeSchema(form).object(shape);
    }

    private Tree.Members object(List<FieldShape> shape) {
        Map<String, Tree> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (FieldShape field : shape) {
            if (has(field)) {
                properties.put(field.name(), property(field));
                if (field.required() && form != Form.CHANGED) {
                    required.add(field.name());
                }
            }
        }
        Map<String, Tree> schema = new LinkedHashMap<>();
        schema.put("type", new Tree.Text("object"));
        if (form == Form.SHOWN) {
            schema.put("additionalProperties", new Tree.Flag(false));
        }
        if (!required.isEmpty()) {
            schema.put("required", Tree.Items.texts(required));
        }
        schema.put("properties", new Tree.Members(properties));
        return new Tree.Members(schema);
    }

    private boolean has(FieldShape field) {
        return switch (form) {
            case GIVEN -> true;
            case CHANGED -> field.mutable() || field.members().stream().anyMatch(this::has);
            case SHOWN -> !field.secret();
        };
    }

    private Tree.Members property(FieldShape field) {
        boolean nullable = form == Form.CHANGED || (form == Form.GIVEN && !field.required());
        List<String> types = new ArrayList<>(types(field));
        if (nullable) {
            types.add("null");
        }
        Tree.Members schema = inside(field)
                .with("type", types.size() > 1 ? Tree.Items.texts(types) : new Tree.Text(types.getFirst()));
        Rule rule = rule(field);
        if (rule != null) {
            schema = schema.over(RuleSchema.of(rule, types));
        }
        if (field.secret()) {
            schema = schema.with("writeOnly", new Tree.Flag(true));
        }
        Tree byDefault = field.byDefault();
        boolean shown = form == Form.GIVEN && byDefault != null && !byDefault.blank();
        return shown && !(byDefault instanceof Tree.Members) ? schema.with("default", byDefault) : schema;
    }

    /** What is in it: a secret and the entries of a list are replaced as they were given. */
    private Tree.Members inside(FieldShape field) {
        boolean replaced = field.secret() || field.type() == FieldShape.Type.OBJECTS;
        ShapeSchema schema = form == Form.CHANGED && replaced ? new ShapeSchema(Form.GIVEN) : this;
        return switch (field.type()) {
            case TEXT, NUMBER, FLAG -> Tree.Members.NONE;
            case MOMENT -> RuleSchema.of(FieldShape.MINUTE, List.of());
            case TEXTS -> Tree.Members.NONE.with("items", text(field));
            case NUMBERS -> Tree.Members.NONE.with("items", number(field));
            case OBJECT -> schema.object(field.members());
            case OBJECTS -> Tree.Members.NONE.with("items", schema.object(field.members()));
        };
    }

    private static Tree.Members text(FieldShape field) {
        Rule rule = field.rule();
        return rule == null
                ? TEXT_ITEM
                : Tree.Members.NONE.with("type", new Tree.Text("string")).over(RuleSchema.of(rule, List.of()));
    }

    private static Tree.Members number(FieldShape field) {
        Tree.Members item = Tree.Members.NONE.with("type", new Tree.Text(numberType(field)));
        return field.rule() == null ? item : item.over(RuleSchema.of(field.rule(), List.of()));
    }

    private static String numberType(FieldShape field) {
        return field.rule() instanceof NumberRule rule && rule.multipleOf() > 0 ? "integer" : "number";
    }

    private static List<String> types(FieldShape field) {
        return switch (field.type()) {
            case TEXT -> List.of("string");
            case NUMBER -> List.of(numberType(field));
            case MOMENT -> List.of(numberType(field), "string");
            case FLAG -> List.of("boolean");
            case TEXTS, NUMBERS, OBJECTS -> List.of("array");
            case OBJECT -> List.of("object");
        };
    }

    /** The rule that the value as a whole keeps, under which one that is needed is not left empty. */
    private static @Nullable Rule rule(FieldShape field) {
        return switch (field.type()) {
            case TEXTS, NUMBERS, OBJECTS ->
                field.required() ? new SizeRule(1, field.size().max()) : field.size();
            case TEXT ->
                field.required() && field.rule() instanceof TextRule text
                        ? TextRule.filled(text.maxLength())
                        : field.rule();
            case NUMBER, MOMENT, FLAG, OBJECT -> field.rule();
        };
    }
}
