package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What differs between two shown forms of a thing. */
class FieldChangeTest {
    private static final String MANY = "x".repeat(FieldChange.MAX_LENGTH);

    private static List<FieldChange> between(Map<String, ?> before, Map<String, ?> after) {
        return FieldChange.between(Trees.members(before), Trees.members(after));
    }

    private static @Nullable Tree after(Object before, Object after) {
        return between(Map.of("field", before), Map.of("field", after))
                .getFirst()
                .after();
    }

    private static FieldChange change(String path, Object before, Object after) {
        return new FieldChange(path, Trees.of(before), Trees.of(after));
    }

    @Test
    void aFieldThatStaysIsNoChangeAndNoMomentIsOne() {
        assertThat(between(Map.of("name", "a"), Map.of("name", "a"))).isEmpty();
        assertThat(between(Map.of("updatedAt", "a", "updated_at", "a"), Map.of("updatedAt", "b", "updated_at", "b")))
                .isEmpty();
    }

    @Test
    void aThingThatGoesLeavesAllOfItsFieldsButItsOwnId() {
        Precondition<Map<String, ?>> precondition = new Precondition<>(List.of(), _ -> "", Trees::members);
        assertThat(precondition.gone(Map.of("id", "a", "key", Map.of("id", "b"))))
                .containsExactly(new FieldChange("key.id", new Tree.Text("b"), null));
        assertThat(FieldChange.made("name", MANY + "x")).containsExactly(change("name", MANY + "…"));
    }

    /** What is sent has fields that no answer shows. */
    @Test
    void whatIsSentIsKeptWithoutAnySecretOfAPipe() {
        for (String field : List.of(
                "password",
                "accessKey",
                "connectionString",
                "credentials",
                "serviceAccountKey",
                "serviceAccountFile")) {
            assertThat(FieldChange.withoutSecrets(Trees.members(Map.of("source", Map.of(field, "s3cret")))))
                    .as(field)
                    .isEqualTo(Trees.members(Map.of("source", Map.of(field, "***"))));
        }
        assertThat(FieldChange.withoutSecrets(Trees.members(
                        Map.of("uris", List.of("mongodb://reader:s3cret@host/shop", "mongodb://host:27017/shop")))))
                .isEqualTo(Trees.members(Map.of("uris", List.of("***", "mongodb://host:27017/shop"))));
    }

    /** Such a text took minutes with an expression that tried each of its colons. */
    @Test
    void aTextThatIsMadeToBeSlowIsReadLikeAnyOther() {
        String colons = "://" + ":".repeat(1_000_000);
        assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> assertThat(FieldChange.hasLogin(colons)).isFalse());
        assertThat(FieldChange.hasLogin(colons + "@")).isTrue();
    }

    private static FieldChange change(String path, Object after) {
        return new FieldChange(path, null, Trees.of(after));
    }

    @Test
    void aFieldIsNamedByThePathToIt() {
        assertThat(between(
                        Map.of("source", Map.of("kafka", Map.of("topics", "a"))),
                        Map.of("source", Map.of("kafka", Map.of("topics", "b")))))
                .containsExactly(change("source.kafka.topics", "a", "b"));
        assertThat(between(Map.of(), Map.of("source", Map.of("size", 1))))
                .containsExactly(new FieldChange("source.size", null, new Tree.Figure(1)));
        assertThat(between(Map.of("source", Map.of("on", true)), Map.of()))
                .containsExactly(new FieldChange("source.on", new Tree.Flag(true), null));
    }

    @Test
    void ofAListThereAreTheItemsThatDiffer() {
        assertThat(between(Map.of("roles", List.of("a", "b")), Map.of("roles", List.of("b", "c"))))
                .containsExactly(change("roles", List.of("a"), List.of("c")));
        assertThat(between(Map.of("roles", List.of("a", "b")), Map.of("roles", List.of("b", "a"))))
                .containsExactly(change("roles", List.of("a", "b"), List.of("b", "a")));
        assertThat(between(Map.of("roles", List.of("a")), Map.of("roles", List.of())))
                .containsExactly(change("roles", List.of("a"), List.of()));
    }

    @Test
    void whatLooksLikeASecretIsBlanked() {
        assertThat(between(Map.of("accessToken", "a", "Password", "b"), Map.of("accessToken", "c")))
                .containsExactlyInAnyOrder(
                        change("accessToken", "***", "***"), new FieldChange("Password", new Tree.Text("***"), null));
        assertThat(between(Map.of(), Map.of("credentials", Map.of("user", "a"))))
                .containsExactly(new FieldChange("credentials", null, new Tree.Text("***")));
        Map<String, ?> endpoint = Map.of("url", "u", "secretKey", "s", "more", List.of(1, true, Map.of("hash", "s")));
        Map<String, ?> blanked =
                Map.of("url", "u", "secretKey", "***", "more", List.of(1, true, Map.of("hash", "***")));
        assertThat(after(List.of(), List.of(endpoint))).isEqualTo(Trees.items(blanked));
    }

    @Test
    void aLongTextIsCutAndNotInTheMiddleOfACharacter() {
        assertThat(after("", MANY)).isEqualTo(new Tree.Text(MANY));
        assertThat(after("", MANY + "y")).isEqualTo(new Tree.Text(MANY + FieldChange.CUT));
        String one = MANY.substring(1);
        assertThat(after("", one + "😀")).isEqualTo(new Tree.Text(one + FieldChange.CUT));
    }

    @Test
    void aLongListSaysHowManyItemsAreLeftOut() {
        assertThat(after(List.of(), List.of("a", MANY, "b"))).isEqualTo(Trees.items("a", "… 2 more"));
        Map<String, ?> item = Map.of("list", List.of(MANY), "none", new Tree.Nothing());
        assertThat(after(List.of(), List.of(item))).isEqualTo(Trees.items("… 1 more"));
    }

    @Test
    void manyFieldsEndWithHowManyAreLeftOut() {
        Map<String, Object> most = new HashMap<>();
        IntStream.range(0, FieldChange.MAX_FIELDS).forEach(i -> most.put("field" + i, i));
        assertThat(between(Map.of(), most)).hasSize(FieldChange.MAX_FIELDS);
        most.put("a", 1);
        most.put("b", 1);
        List<FieldChange> changes = between(Map.of(), most);
        assertThat(changes).hasSize(FieldChange.MAX_FIELDS + 1);
        assertThat(changes.getLast()).isEqualTo(new FieldChange("…", null, new Tree.Text("… 2 more")));
    }

    @Test
    void anObjectInPlaceOfAnotherValueIsComparedByItsFields() {
        assertThat(between(Map.of("field", new Tree.Nothing()), Map.of("field", Map.of("a", 1))))
                .containsExactly(new FieldChange("field.a", null, new Tree.Figure(1)));
        assertThat(after(1, new Tree.Nothing())).isEqualTo(new Tree.Nothing());
        assertThat(after(List.of(), "a")).isEqualTo(new Tree.Text("a"));
        assertThat(after("a", List.of("b"))).isEqualTo(Trees.items("b"));
    }
}
