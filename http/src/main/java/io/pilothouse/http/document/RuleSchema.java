package io.pilothouse.http.document;

import io.pilothouse.core.base.ChoiceRule;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.Rule;
import io.pilothouse.core.base.SizeRule;
import io.pilothouse.core.base.TextRule;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.WordRule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A rule as the keywords of a JSON schema; where a schema can say less than the rule, it says less. */
final class RuleSchema {
    /** Some character that is no blank. */
    static final Tree NOT_BLANK = new Tree.Text("\\S");

    private RuleSchema() {}

    /** The keywords for a value of these types, of which {@code null} may be one. */
    static Tree.Members of(Rule rule, List<String> types) {
        boolean nullable = types.contains("null");
        return switch (rule) {
            case NumberRule number -> number(number);
            case ChoiceRule(List<Integer> numbers) -> oneOf(numbers.stream().map(Tree.Figure::new), nullable);
            case WordRule(List<String> words) -> oneOf(words.stream().map(Tree.Text::new), nullable);
            case PatternRule pattern -> Tree.Members.NONE.with("pattern", new Tree.Text("^" + pattern.pattern() + "$"));
            case TextRule text -> text(text);
            case SizeRule size -> size(size, types.contains("object") ? "Properties" : "Items");
        };
    }

    private static Tree.Members number(NumberRule rule) {
        Tree.Members range = Tree.Members.NONE
                .with("minimum", new Tree.Figure(rule.min()))
                .with("maximum", new Tree.Figure(rule.max()));
        return rule.multipleOf() > 1 ? range.with("multipleOf", new Tree.Figure(rule.multipleOf())) : range;
    }

    private static Tree.Members oneOf(Stream<Tree> values, boolean nullable) {
        List<Tree> all = new ArrayList<>(values.toList());
        if (nullable) {
            all.add(new Tree.Nothing());
        }
        return Tree.Members.NONE.with("enum", new Tree.Items(all));
    }

    private static Tree.Members text(TextRule rule) {
        Tree.Members text = between("Length", rule.minLength(), rule.maxLength());
        if (rule.minLength() == 1) {
            text = text.with("pattern", NOT_BLANK);
        }
        return switch (rule.alphabet()) {
            case LETTERS_DIGITS_WHITESPACE -> text.with("pattern", new Tree.Text(name(rule.minLength() == 1)));
            case PRINTABLE, WITHOUT_CONTROLS -> text.with("not", text("[\\u0000-\\u001f\\u007f-\\u009f]"));
            case ANY -> text;
        };
    }

    /** Letters, digits and white space; all of it is not enough where something is needed. */
    private static String name(boolean filled) {
        String any = "(?:" + TextRule.LETTER_OR_DIGIT + "|" + TextRule.WHITE_SPACE + ")*";
        return "^" + (filled ? TextRule.WHITE_SPACE + "*" + TextRule.LETTER_OR_DIGIT : "") + any + "$";
    }

    private static Tree.Members text(String pattern) {
        return Tree.Members.NONE.with("type", new Tree.Text("string")).with("pattern", new Tree.Text(pattern));
    }

    private static Tree.Members size(SizeRule rule, String unit) {
        return between(unit, rule.min(), rule.max());
    }

    private static Tree.Members between(String unit, int min, int max) {
        Tree.Members bounds = min > 0 ? Tree.Members.NONE.with("min" + unit, new Tree.Figure(min)) : Tree.Members.NONE;
        return max < Integer.MAX_VALUE ? bounds.with("max" + unit, new Tree.Figure(max)) : bounds;
    }
}
