package io.pilothouse.pipes.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What passes between the control plane and a worker. */
class WireTest {
    private static final int MAX_BYTES = 100;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private Wire wire() {
        return new Wire(new ByteArrayInputStream(sent.toByteArray()), sent, MAX_BYTES);
    }

    private static Tree.Members message(int letters) {
        return new Tree.Members(Map.of("text", new Tree.Text("x".repeat(letters))));
    }

    @Test
    void messagesArriveUntilTheOtherSideIsGone() throws IOException {
        wire().send(message(1));
        wire().send(message(2));
        Wire wire = wire();
        assertThat(wire.receive()).contains(message(1));
        assertThat(wire.receive()).contains(message(2));
        assertThat(wire.receive()).isEmpty();
    }

    @Test
    void nothingIsSentOfAMessageThatTheOtherSideWouldNotTake() throws IOException {
        assertThatThrownBy(() -> wire().send(message(MAX_BYTES)))
                .isInstanceOf(Wire.TooLarge.class)
                .hasMessageContaining("too large");
        assertThat(sent.size()).isZero();
        wire().send(message(1));
        assertThat(wire().receive()).contains(message(1));
    }
}
