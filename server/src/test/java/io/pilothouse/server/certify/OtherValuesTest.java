package io.pilothouse.server.certify;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

class OtherValuesTest {
    @Test
    void truthBecomesItsOpposite() {
        assertThat(OtherValues.of(new Tree.Flag(true), List.of())).containsExactly(new Tree.Flag(false));
    }

    @Test
    void numberIsDoubledOrMovedByOne() {
        assertThat(OtherValues.of(new Tree.Figure(8), List.of()))
                .containsExactly(new Tree.Figure(16), new Tree.Figure(9), new Tree.Figure(7));
        assertThat(OtherValues.of(new Tree.Figure(0), List.of()))
                .containsExactly(new Tree.Figure(1), new Tree.Figure(-1));
    }

    @Test
    void textGetsSomethingAfterIt() {
        assertThat(OtherValues.of(new Tree.Text("events"), List.of())).containsExactly(new Tree.Text("events-2"));
        assertThat(OtherValues.of(new Tree.Text(""), List.of())).isEmpty();
    }

    @Test
    void whatAValidationListsComesInsteadOfGuesses() {
        assertThat(OtherValues.of(new Tree.Text("slow"), List.of("fast", "slow")))
                .containsExactly(new Tree.Text("fast"));
        assertThat(OtherValues.of(new Tree.Figure(8), List.of("8", "16", "local.most")))
                .containsExactly(new Tree.Figure(16));
    }

    @Test
    void nothingIsGuessedForListsObjectsAndNulls() {
        assertThat(OtherValues.of(new Tree.Items(List.of()), List.of())).isEmpty();
        assertThat(OtherValues.of(Tree.Members.NONE, List.of())).isEmpty();
        assertThat(OtherValues.of(new Tree.Nothing(), List.of())).isEmpty();
    }
}
