package io.pilothouse.server.alerts;

import static io.pilothouse.server.alerts.AlertWorld.failedServices;
import static io.pilothouse.server.alerts.AlertWorld.to;
import static io.pilothouse.server.webhook.WebhookReceiver.answer;
import static io.pilothouse.server.webhook.WebhookReceiver.hang;
import static io.pilothouse.server.webhook.WebhookReceiver.slam;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.delivery.DeliverySender;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import io.pilothouse.testkit.WatchedStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryLifeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private AlertWorld world;
    private Service service;
    private Alert alert;
    private Webhook webhook;

    @BeforeEach
    void open() {
        world = new AlertWorld(folder);
        service = world.service();
        webhook = world.webhook();
        alert = world.alert(failedServices(Map.of(), ""), to(webhook));
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aMessageIsSignedAndCarriesItsCredentials() throws GeneralSecurityException, InterruptedException {
        // The window closes with the minute, and the message goes at once.
        Instant sent = world.time.now().plus(MINUTE);
        fires(world.engine());

        WebhookReceiver.Message message = world.receiver.take();
        Map<String, String> headers = message.headers();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(AlertWorld.SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signed = headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + "." + message.body();
        byte[] expected = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
        assertThat(headers)
                .containsEntry("webhook-signature", "v1," + Base64.getEncoder().encodeToString(expected))
                .containsEntry("webhook-timestamp", Long.toString(sent.getEpochSecond()))
                .containsEntry("x-team", "blue");
        assertThat(message.body()).contains("\"link\":\"http://alerts.example/api/v2/alerts/" + alert.id() + "\"");
    }

    @Test
    void aReceiverThatFailsIsTriedAgainWithTheSameIdAndGrowingPauses() {
        world.receiver.does(answer(500), answer(503), answer(408), answer(425), slam(), answer(200));
        List<Instant> moments = new ArrayList<>();
        Dispatcher engine = world.engine(
                world.store(),
                request -> {
                    moments.add(world.time.now());
                    return world.sender.send(request);
                },
                "test");

        fires(engine);
        world.run(engine, MINUTE);

        assertThat(world.received()).hasSize(6).containsOnly("firing");
        assertThat(world.receiver.messages())
                .extracting(message -> message.headers().get("idempotency-key"))
                .containsOnly(world.receiver.messages().getFirst().headers().get("webhook-id"));
        for (int i = 2; i < moments.size(); i++) {
            assertThat(between(moments, i)).isGreaterThan(between(moments, i - 1));
        }
        assertThat(world.deliveriesWaiting()).isZero();
        assertThat(errors()).isEmpty();
    }

    private static Duration between(List<Instant> moments, int i) {
        return Duration.between(moments.get(i - 1), moments.get(i));
    }

    @Test
    void anEndNeverOvertakesItsBeginning() {
        world.receiver.does(answer(500));
        Dispatcher engine = world.engine();
        fires(engine);
        world.heals(service);
        world.run(engine, MINUTE.multipliedBy(2));
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.INACTIVE);
        assertThat(world.received()).containsOnly("firing");

        world.receiver.does(answer(200));
        world.run(engine, MINUTE.multipliedBy(10));

        assertThat(world.receivedOnce()).containsExactly("firing", "resolved");
        assertThat(world.received()).endsWith("firing", "resolved");
    }

    @Test
    void aReceiverThatHangsIsGivenUpAndTriedAgain() {
        world.receiver.does(hang(), answer(204));
        Dispatcher engine = world.engine();

        fires(engine);
        world.run(engine, MINUTE);

        assertThat(world.received()).containsExactly("firing", "firing");
        assertThat(world.deliveriesWaiting()).isZero();
    }

    @Test
    void aReceiverThatIsAwayGetsItsMessagesWhenItComesBack() {
        world.receiver.close();
        Dispatcher engine = world.engine();
        fires(engine);
        world.heals(service);
        world.run(engine, Duration.ofHours(3));
        assertThat(world.deliveriesWaiting()).isEqualTo(2);

        try (WebhookReceiver back = WebhookReceiver.start()) {
            world.store().write(tables -> tables.of(Webhook.KIND).overwrite(moved(webhook, back.url())));
            world.run(engine, Duration.ofMinutes(16));

            assertThat(back.messages()).hasSize(2);
            assertThat(back.messages().getFirst().body()).contains("\"state\":\"firing\"");
            assertThat(back.messages().getLast().body()).contains("\"state\":\"resolved\"");
        }
        assertThat(world.deliveriesWaiting()).isZero();
    }

    private static Webhook moved(Webhook webhook, String url) {
        return new Webhook(
                webhook.head(),
                webhook.updatedAt(),
                webhook.name(),
                webhook.service(),
                url,
                null,
                null,
                webhook.sealedSecrets());
    }

    @Test
    void aReceiverIsLeftAloneForAsLongAsItAsks() {
        world.receiver.does(answer(429, "Retry-After: 600"), answer(200));
        Dispatcher engine = world.engine();

        fires(engine);
        world.run(engine, Duration.ofMinutes(9));
        assertThat(world.receiver.messages()).hasSize(1);

        world.run(engine, Duration.ofMinutes(2));
        assertThat(world.receiver.messages()).hasSize(2);
        assertThat(world.deliveriesWaiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 308, 400, 401, 404, 410})
    void aMessageThatIsRefusedForGoodIsGivenUpAndShownOnTheAlert(int status) {
        world.receiver.does(answer(status, "Location: http://127.0.0.1:1/"), answer(200));
        Dispatcher engine = world.engine();

        fires(engine);

        assertThat(world.receiver.messages()).hasSize(1);
        assertThat(world.deliveriesWaiting()).isZero();
        assertThat(world.alert(alert.id()).watch().errors()).singleElement().satisfies(error -> {
            assertThat(error.type()).isEqualTo(AlertError.Type.WEBHOOK_ERROR);
            assertThat(error.message()).isEqualTo("The webhook answered " + status);
        });

        world.run(engine, MINUTE.multipliedBy(3));
        assertThat(errors()).as("the fire was not delivered").containsExactly("The webhook answered " + status);

        world.heals(service);
        world.run(engine, MINUTE.multipliedBy(2));
        assertThat(world.received()).containsExactly("firing", "resolved");
        assertThat(errors()).isEmpty();
    }

    @Test
    void anErrorOfWhatIsOverIsThatOfOneRun() {
        Dispatcher engine = world.engine();
        fires(engine);
        world.receiver.does(answer(404));
        world.heals(service);
        world.run(engine, MINUTE);
        assertThat(world.received()).containsExactly("firing", "resolved");
        assertThat(errors()).containsExactly("The webhook answered 404");

        world.run(engine, MINUTE);
        assertThat(errors()).isEmpty();
    }

    @Test
    void whileAMessageIsTriedItsAlertSaysWhyAndSinceWhen() {
        world.receiver.does(answer(503));
        Dispatcher engine = world.engine();
        Instant since = world.time.now().plus(MINUTE);
        fires(engine);

        world.run(engine, MINUTE.multipliedBy(10));
        assertThat(world.receiver.messages()).hasSizeGreaterThan(3);
        assertThat(world.alert(alert.id()).watch().errors())
                .containsExactly(new AlertError(
                        since, AlertError.Type.WEBHOOK_ERROR, "The webhook answered 503; it is tried again"));

        world.receiver.does(answer(200));
        world.run(engine, MINUTE.multipliedBy(16));
        assertThat(world.deliveriesWaiting()).isZero();
        assertThat(errors()).isEmpty();
    }

    private List<String> errors() {
        return world.alert(alert.id()).watch().errors().stream()
                .map(AlertError::message)
                .toList();
    }

    @Test
    void aMessageIsTriedForADayAndNotForever() {
        world.receiver.does(answer(500));
        Dispatcher engine = world.engine();
        fires(engine);

        world.run(engine, Duration.ofHours(23));
        assertThat(world.deliveriesWaiting()).isEqualTo(1);
        // A quarter of an hour is the longest pause.
        assertThat(world.receiver.messages()).hasSizeBetween(95, 120);

        world.run(engine, Duration.ofHours(2));
        assertThat(world.deliveriesWaiting()).isZero();
        assertThat(errors()).containsExactly("The webhook answered 500, and so it went on for a day");
    }

    @Test
    void aMessageToAWebhookThatWasDeletedIsForgotten() {
        world.receiver.does(answer(500));
        Dispatcher engine = world.engine();
        fires(engine);
        assertThat(world.deliveriesWaiting()).isEqualTo(1);

        world.store().write(tables -> tables.of(Webhook.KIND).delete(webhook.id(), webhook.version()));
        world.run(engine, MINUTE);

        assertThat(world.deliveriesWaiting()).isZero();
    }

    @Test
    void secretsThatDoNotOpenHoldTheMessageBack() {
        world.store().write(tables -> tables.of(Webhook.KIND).overwrite(webhook.withSealedSecrets("v1.broken")));

        fires(world.engine());

        assertThat(world.receiver.messages()).isEmpty();
        assertThat(world.deliveriesWaiting()).isEqualTo(1);
    }

    @Test
    void oneReceiverThatFailsDoesNotHoldAnother() {
        try (WebhookReceiver other = WebhookReceiver.start()) {
            world.receiver.does(answer(500));
            Webhook good = world.webhook("Good", other.url());
            world.change(alert, row -> row.withRule(rule(row, to(webhook), to(good)), world.time.now()));
            Dispatcher engine = world.engine();

            fires(engine);

            assertThat(other.messages()).hasSize(1);
            assertThat(world.deliveriesWaiting()).isEqualTo(1);
        }
    }

    private static AlertRule rule(Alert alert, AlertChannel... channels) {
        AlertRule rule = alert.rule();
        return new AlertRule(
                rule.name(),
                rule.message(),
                rule.note(),
                rule.threshold(),
                rule.schedule(),
                rule.numConsecutiveWindows(),
                rule.dashboardId(),
                rule.tileId(),
                List.of(channels));
    }

    /** Killed before and after everything it does, one place after another, it loses nothing and keeps the order. */
    @Test
    void aDeathAnywhereLosesNothingAndKeepsTheOrder() {
        int points = walk(Set.of());
        assertThat(points).isGreaterThan(20);
        for (int point = 1; point <= points; point++) {
            walk(Set.of(point));
        }
    }

    private int walk(Set<Integer> fatal) {
        close();
        world = new AlertWorld(folder.resolve("walk " + fatal));
        service = world.service();
        webhook = world.webhook();
        alert = world.alert(failedServices(Map.of(), ""), to(webhook));
        KillSwitch kill = new KillSwitch(fatal);
        world.breaks(service);
        surviving(kill, MINUTE.multipliedBy(2));
        world.heals(service);
        surviving(kill, MINUTE.multipliedBy(4));

        assertThat(world.receivedOnce()).as("killed at %s", fatal).containsExactly("firing", "resolved");
        assertThat(world.received()).as("killed at %s", fatal).isSortedAccordingTo(String::compareTo);
        assertThat(world.deliveriesWaiting()).isZero();
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.INACTIVE);
        assertThat(fatal).allMatch(point -> point <= kill.passed().size(), "is a place that was come to");
        return kill.passed().size();
    }

    private void surviving(KillSwitch kill, Duration duration) {
        Instant end = world.time.now().plus(duration);
        DeliverySender sender = request -> {
            kill.pass("before sending");
            DeliverySender.Outcome outcome = world.sender.send(request);
            kill.pass("after sending");
            return outcome;
        };
        WatchedStore store = new WatchedStore(world.store(), where -> {
            if (!where.equals("read")) {
                kill.pass(where);
            }
        });
        while (world.time.now().isBefore(end)) {
            try {
                world.run(world.engine(store, sender, "process"), Duration.between(world.time.now(), end));
            } catch (Killed died) {
                assertThat(died).as("the next process finds what this one left").isNotNull();
            }
        }
    }

    /** Breaks the service and lets the next window close. */
    private void fires(Dispatcher engine) {
        world.breaks(service);
        world.run(engine, MINUTE.plusSeconds(1));
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.FIRING);
    }
}
