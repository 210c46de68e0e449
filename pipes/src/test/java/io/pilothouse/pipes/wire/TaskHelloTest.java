package io.pilothouse.pipes.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.wire.TaskHello.Purpose;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a task says first. */
class TaskHelloTest {
    @Test
    void whatFollowsIsLeftForWhoReadsOn() throws IOException {
        TaskHello hello = new TaskHello(Purpose.ROWS, "a-token", 300, "visit");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        hello.send(out);
        out.write('x');
        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
        assertThat(TaskHello.read(in)).isEqualTo(hello);
        assertThat(in.read()).isEqualTo('x');
        assertThat(hello.toString()).doesNotContain("a-token");
    }

    @Test
    void strangersAreNotReadFor() {
        assertThatThrownBy(() -> TaskHello.read(
                        new ByteArrayInputStream("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII))))
                .isInstanceOf(IOException.class);
        byte[] tooLong = {0, 65};
        assertThatThrownBy(() -> TaskHello.read(new ByteArrayInputStream(tooLong)))
                .isInstanceOf(IOException.class);
    }
}
