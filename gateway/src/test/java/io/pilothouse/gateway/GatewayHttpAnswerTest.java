package io.pilothouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an answer ends, however it is cut into pieces. */
class GatewayHttpAnswerTest {
    private static final String SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    static Stream<Arguments> wholeAnswers() {
        return Stream.of(
                Arguments.of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", true),
                Arguments.of("HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n", true),
                Arguments.of("HTTP/1.1 204 No Content\r\n\r\n", true),
                Arguments.of("HTTP/1.1 304\r\nContent-Length: 10\r\n\r\n", true),
                Arguments.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: Close\r\n\r\nok", false),
                Arguments.of("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
                Arguments.of("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", true),
                Arguments.of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", true),
                Arguments.of(CHUNKED + "A;x=y\r\n0123456789\r\n1\r\n.\r\n0\r\nX-T: 1\r\n\r\n", true),
                Arguments.of("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 \r\nX: 1\r\n\r\n" + SIZED + "x", true),
                Arguments.of(
                        "HTTP/1.1 200 OK\r\n" + "X-ClickHouse-Progress: {}\r\n".repeat(5_000) + "X-Long: "
                                + "y".repeat(100_000) + "\r\nContent-Length: 1\r\n\r\nx",
                        true));
    }

    @ParameterizedTest
    @MethodSource("wholeAnswers")
    void endIsFoundHoweverTheAnswerIsCut(String text, boolean keepAlive) {
        byte[] bytes = (text + "surplus").getBytes(StandardCharsets.ISO_8859_1);
        for (int pieceSize : new int[] {1, 2, 3, 7, 64, bytes.length}) {
            GatewayHttpAnswer answer = new GatewayHttpAnswer(false);
            int belonging = 0;
            for (int from = 0; from < bytes.length && !answer.complete(); from += pieceSize) {
                byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + pieceSize));
                belonging += answer.accept(piece, piece.length);
                assertThat(answer.broken()).isFalse();
            }
            assertThat(answer.complete()).as("in pieces of %d", pieceSize).isTrue();
            assertThat(belonging).isEqualTo(text.length());
            assertThat(answer.keepAlive()).isEqualTo(keepAlive);
        }
    }

    @Test
    void cookiesAreBlankHoweverTheAnswerIsCut() {
        String text = "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=COOKIE\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nSet-Cookie:COOKIE\r\nset-cookie: " + "COOKIE".repeat(100)
                + "\r\nX-Set-Cookie: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "e\r\nSet-Cookie:b=c\r\n0\r\nSET-COOKIE: COOKIE\r\n\r\n";
        String blank = text.replace("a=", "  ").replace("COOKIE", "      ").replace("SET-      ", "SET-COOKIE");
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int pieceSize : new int[] {1, 2, 3, 7, 64, bytes.length}) {
            GatewayHttpAnswer answer = new GatewayHttpAnswer(false);
            ByteArrayOutputStream passed = new ByteArrayOutputStream();
            for (int from = 0; from < bytes.length; from += pieceSize) {
                byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + pieceSize));
                passed.write(piece, 0, answer.accept(piece, piece.length));
            }
            assertThat(passed.toString(StandardCharsets.ISO_8859_1))
                    .as("in pieces of %d", pieceSize)
                    .isEqualTo(blank);
            assertThat(answer.keepAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\rContent-Length: 2\r\n\r\nok",
                "HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\t\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding:\u00a0chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: a\r\n Content-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nno name\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x\ny\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n"
            })
    void answerThatClientsCouldReadInTwoWaysIsBroken(String text) {
        assertThat(accepted(text, false).broken()).isTrue();
    }

    @Test
    void answerWithoutAFramingLastsUntilTheConnectionEnds() {
        GatewayHttpAnswer answer = accepted("HTTP/1.1 200 OK\r\n\r\nmore and more", false);
        assertThat(answer.complete()).isFalse();
        assertThat(answer.keepAlive()).isFalse();
        assertThat(answer.untouched()).isFalse();
    }

    @Test
    void answerToAHeadRequestEndsWithItsHead() {
        assertThat(accepted("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", true)
                        .complete())
                .isTrue();
        assertThat(accepted("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true)
                        .complete())
                .isTrue();
    }

    @Test
    void answerOfNothingButAnInterimOneIsUntouched() {
        assertThat(accepted("", false).untouched()).isTrue();
        assertThat(accepted("HTTP/1.1 100 Continue\r\n\r\n", false).untouched()).isTrue();
        assertThat(accepted("HTTP/1.1 100 Continue\r\n\r\nH", false).untouched())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-x\r\n",
                "HTTP/2 200\r\n",
                "HTTP/1.1 x00 OK\r\n",
                "HTTP/1.1\r\n",
                "HTTP/1.1 099 Low\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1234567812345678\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"
            })
    void anAnswerThatIsNotHttpIsBroken(String text) {
        GatewayHttpAnswer answer = accepted(text, false);
        assertThat(answer.broken()).isTrue();
        assertThat(answer.complete()).isFalse();
    }

    private static GatewayHttpAnswer accepted(String text, boolean neverHasBody) {
        GatewayHttpAnswer answer = new GatewayHttpAnswer(neverHasBody);
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        answer.accept(bytes, bytes.length);
        return answer;
    }
}
