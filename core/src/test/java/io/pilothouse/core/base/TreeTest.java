package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreeTest {
    private static final Tree.Members ALL = Trees.members(Map.of(
            "text",
            "größe",
            "number",
            0.5,
            "yes",
            true,
            "no",
            false,
            "items",
            List.of("a", 1, Trees.of(null)),
            "members",
            Map.of("inner", "x")));

    @Test
    void treesSurviveBeingWrittenAndRead() {
        assertThat(TreeBytes.read(TreeBytes.write(ALL))).isEqualTo(ALL);
        assertThatThrownBy(() -> TreeBytes.read(new byte[] {'x'})).isInstanceOf(java.io.UncheckedIOException.class);
        assertThatThrownBy(() -> TreeBytes.read(new byte[] {'t'})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void membersAreAskedForByType() {
        assertThat(ALL.text("text")).contains("größe");
        assertThat(ALL.text("number")).isEmpty();
        assertThat(ALL.number("number")).contains(0.5);
        assertThat(ALL.number("text")).isEmpty();
        assertThat(ALL.flag("yes")).isTrue();
        assertThat(ALL.flag("no")).isFalse();
        assertThat(ALL.flag("text")).isFalse();
        assertThat(ALL.items("items")).hasSize(3);
        assertThat(ALL.items("text")).isEmpty();
        assertThat(ALL.members("members")).isPresent();
        assertThat(ALL.members("text")).isEmpty();
        assertThat(ALL.objects("items")).isEmpty();
        assertThat(ALL.texts("items")).containsExactly("a");
        assertThat(Trees.members(Map.of("rows", List.of(Map.of("a", 1), 2))).objects("rows"))
                .hasSize(1);
        assertThat(ALL.with("text", null).has("text")).isFalse();
        assertThat(Tree.Items.texts(List.of("a"))).isEqualTo(Trees.items("a"));
    }

    @Test
    void whatClientsSendForNotSetIsBlank() {
        assertThat(List.of(Trees.of(""), Trees.of(null), Trees.items())).allMatch(Tree::blank);
        assertThat(List.of(Trees.of("x"), Trees.of(0), Trees.of(false), Trees.items(1), Tree.Members.NONE))
                .noneMatch(Tree::blank);
    }

    @Test
    void aNumberBeyondAllBoundsIsRefused() {
        Faults faults = new Faults();
        List<FieldShape> shape = List.of(FieldShape.number("port", NumberRule.wholeFrom(1)));
        new ShapeCheck(faults).create("", shape, Trees.members(Map.of("port", Double.POSITIVE_INFINITY)));
        assertThat(faults.list()).containsExactly(new Fault("port", "is too large a number"));
    }

    @Test
    void aListIsOfOneTypeAndHasACeiling() {
        Faults faults = new Faults();
        List<FieldShape> shape = List.of(FieldShape.texts("names"), FieldShape.objects("rows", FieldShape.text("a")));
        ShapeCheck check = new ShapeCheck(faults);
        check.create("", shape, Trees.members(Map.of("names", List.of("a", " ", 1), "rows", 5)));
        check.create("", shape, Trees.members(Map.of("names", Collections.nCopies(10_001, "a"))));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("names[1]", "names[2]", "rows", "names");
    }

    @Test
    void everyTextOfAListKeepsTheRuleOfTheList() {
        Faults faults = new Faults();
        List<FieldShape> shape = List.of(FieldShape.texts("names", WordRule.of("a", "b")));
        new ShapeCheck(faults).create("", shape, Trees.members(Map.of("names", List.of("a", "c", "b", " "))));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("names[1]", "names[3]");
    }

    @Test
    void aTextOfASetOfWordsIsOneOfThem() {
        Faults faults = new Faults();
        List<FieldShape> shape = List.of(
                FieldShape.word("mode", "a", "b").orElse("a"),
                FieldShape.number("port", new NumberRule(1, 2, 1)).orElse(1),
                new FieldShape("any", FieldShape.Type.NUMBER, null, List.of(), null, false, false, true),
                new FieldShape("free", FieldShape.Type.TEXT, null, List.of(), null, false, false, true));
        ShapeCheck.Parts parts = new ShapeCheck(faults).create("", shape, Tree.Members.NONE);
        assertThat(parts.open()).isEqualTo(Trees.members(Map.of("mode", "a", "port", 1)));
        new ShapeCheck(faults).create("", shape, Trees.members(Map.of("mode", "c", "port", 3, "any", -1, "free", "x")));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("mode", "port");
    }

    @Test
    void aRequiredTextMayChangeButNotToBlanks() {
        Faults faults = new Faults();
        List<FieldShape> shape = List.of(
                FieldShape.text("host").needed().changeable(),
                FieldShape.text("note").changeable(),
                FieldShape.number("port", new NumberRule(1, 9, 1)).needed().changeable(),
                FieldShape.text("pin").needed().hidden().changeable());
        Tree.Members before = Trees.members(Map.of("host", "h", "note", "n", "port", 1));
        ShapeCheck check = new ShapeCheck(faults);
        ShapeCheck.Parts parts = check.change(
                "a", shape, Trees.members(Map.of("host", "i", "note", " ", "port", 2, "pin", " ")), before);
        assertThat(faults.none()).isTrue();
        assertThat(parts.open()).isEqualTo(Trees.members(Map.of("host", "i", "note", " ", "port", 2)));
        assertThat(parts.secret()).isEqualTo(Trees.members(Map.of("pin", " ")));
        check.change("a", shape, Trees.members(Map.of("host", " ")), before);
        assertThat(faults.list()).extracting(Fault::path).containsExactly("a.host");
    }

    @Test
    void aListOfObjectsMayHaveACeilingOfItsOwn() {
        Faults faults = new Faults();
        List<FieldShape> shape = List.of(FieldShape.objects("rows", SizeRule.atMost(1), FieldShape.text("a")));
        ShapeCheck check = new ShapeCheck(faults);
        check.create("", shape, Trees.members(Map.of("rows", List.of(Map.of("a", "x")))));
        assertThat(faults.none()).isTrue();
        check.create("", shape, Trees.members(Map.of("rows", List.of(Map.of("a", "x"), Map.of("a", "y")))));
        assertThat(faults.list()).containsExactly(new Fault("rows", "must have at most 1 entries"));
    }
}
