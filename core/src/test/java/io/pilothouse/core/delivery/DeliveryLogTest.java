package io.pilothouse.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.AlertSample;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.delivery.DeliveryLine.Attempt;
import io.pilothouse.core.delivery.DeliveryLine.State;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeliveryLogTest {
    private static final UUID MINE = new UUID(1, 1);
    private static final UUID OTHER = new UUID(2, 2);

    private final DeliveryLog log = new DeliveryLog();

    @Test
    void aMessageIsOneLineHoweverOftenItIsTried() {
        UUID first = new UUID(0, 1);
        log.add(line(MINE, first, 1));
        log.add(line(MINE, new UUID(0, 2), 1));
        log.add(line(MINE, first, 2));

        assertThat(list(MINE)).extracting(DeliveryLine::messageId).containsExactly(first, new UUID(0, 2));
        assertThat(list(MINE).getFirst().attempt().number()).isEqualTo(2);
        assertThat(list(OTHER)).isEmpty();
    }

    @Test
    void theLatestOfAnOrganizationAreKept() {
        for (int at = 0; at <= DeliveryLog.MAX_OF_ORGANIZATION; at++) {
            log.add(line(MINE, new UUID(0, at), 1));
        }
        assertThat(list(MINE))
                .hasSize(DeliveryLog.MAX_OF_ORGANIZATION)
                .extracting(DeliveryLine::messageId)
                .doesNotContain(new UUID(0, 0));
    }

    @Test
    void whereAllAreTooMuchTheOrganizationThatWasQuietForLongestIsForgotten() {
        int fit = DeliveryLog.MAX_LINES / DeliveryLog.MAX_OF_ORGANIZATION;
        for (int organization = 0; organization <= fit; organization++) {
            for (int at = 0; at < DeliveryLog.MAX_OF_ORGANIZATION; at++) {
                log.add(line(new UUID(9, organization), new UUID(organization, at), 1));
            }
        }
        assertThat(list(new UUID(9, 0))).isEmpty();
        assertThat(list(new UUID(9, 1))).hasSize(DeliveryLog.MAX_OF_ORGANIZATION);
        assertThat(list(new UUID(9, fit))).hasSize(DeliveryLog.MAX_OF_ORGANIZATION);
    }

    @Test
    void whatIsErasedIsForgotten() {
        log.add(line(MINE, new UUID(0, 1), 1));
        log.forget(List.of(OTHER, MINE));
        assertThat(list(MINE)).isEmpty();
    }

    @Test
    void aLongTitleIsCut() {
        DeliveryLine line = new DeliveryLine(
                MINE,
                MINE,
                MINE,
                MINE,
                "n".repeat(300),
                DeliveryEvent.Kind.FIRING,
                "t".repeat(300),
                AlertSample.NOW,
                attempt(1));
        assertThat(line.title()).hasSize(200);
        assertThat(line.webhookName()).hasSize(200);
    }

    @Test
    void aStateIsOneWord() {
        assertThat(State.GIVEN_UP.word()).isEqualTo("given_up");
    }

    private List<DeliveryLine> list(UUID organization) {
        Caller caller = new Caller(organization, UUID.randomUUID(), "key", Set.of(Permission.ALERT_READ));
        return log.list(caller.permit(Permission.ALERT_READ, UUID.randomUUID()));
    }

    private static DeliveryLine line(UUID organization, UUID message, int attempt) {
        return new DeliveryLine(
                message,
                organization,
                AlertSample.ALERT,
                new UUID(3, 3),
                "Hook",
                DeliveryEvent.Kind.FIRING,
                "Something is wrong",
                AlertSample.NOW,
                attempt(attempt));
    }

    private static Attempt attempt(int number) {
        return new Attempt(AlertSample.NOW, number, State.WAITING, 503, "The webhook answered 503", AlertSample.NOW);
    }
}
