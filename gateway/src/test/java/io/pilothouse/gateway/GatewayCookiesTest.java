package io.pilothouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser sends a cookie to every port of its host: none passes between a client and a database. */
class GatewayCookiesTest {
    private final GatewayFixture fixture;

    GatewayCookiesTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void requestArrivesWithoutItsCookiesAndFramedAsBefore() throws IOException {
        String request = """
            POST /?query=Cookie:%20stays HTTP/1.1
            Host: somewhere
            Cookie: pilothouse-session=secret; a="b"
            X-Cookie: stays
            cOOKIE:other
            Cookie:
            Cookies: stay
            Content-Length: 19

            """.replace("\n", "\r\n") + "\nCookie: body=stays";
        String blanked = request.replace("pilothouse-session=secret; a=\"b\"", " ".repeat(32))
                .replace("other", "     ");
        try (GatewayRecordingDatabase database = database(GatewayRecordingDatabase::answerEach);
                GatewayRawClient client = fixture.plain()) {
            for (int count = 1; count <= 2; count++) {
                assertThat(client.say(request).readAnswer()).contains("X-Length: 19");
                assertThat(database.received()).isEqualTo(blanked.repeat(count));
            }
        }
    }

    @Test
    void answerArrivesWithoutItsCookiesAndFramedAsBefore() throws IOException {
        String answer = """
            HTTP/1.1 200 OK
            Set-Cookie: pilothouse-session=theirs; Path=/
            X-Set-Cookie: stays
            sET-cOOKIE:other
            Content-Length: 23

            """.replace("\n", "\r\n") + "\nSet-Cookie: body=stays";
        String blanked = answer.replace("pilothouse-session=theirs; Path=/", " ".repeat(33))
                .replace("other", "     ");
        try (GatewayRecordingDatabase database = database(visit -> {
                    while (!visit.readHead().isEmpty()) {
                        visit.say(answer);
                    }
                });
                GatewayRawClient client = fixture.plain()) {
            for (int count = 0; count < 2; count++) {
                assertThat(client.get("/").readAnswer()).isEqualTo(blanked);
            }
            assertThat(database.visits()).isNotEmpty();
        }
    }

    private GatewayRecordingDatabase database(GatewayRecordingDatabase.Script script) throws IOException {
        GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, script);
        fixture.serve(GatewaySwitch.awake(database.address()));
        return database;
    }
}
