package io.pilothouse.server.alerts;

import static io.pilothouse.server.alerts.AlertWorld.failedServices;
import static io.pilothouse.server.alerts.AlertWorld.to;
import static io.pilothouse.server.webhook.WebhookReceiver.answer;
import static io.pilothouse.server.webhook.WebhookReceiver.slam;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.delivery.DeliveryLine;
import io.pilothouse.core.delivery.DeliveryLine.State;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log of messages says about each of them. */
class DeliveryLogLifeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private AlertWorld world;
    private Service service;
    private Alert alert;
    private Webhook webhook;
    private Dispatcher engine;

    @BeforeEach
    void open() {
        world = new AlertWorld(folder);
        service = world.service();
        webhook = world.webhook();
        alert = world.alert(failedServices(Map.of(), ""), to(webhook));
        engine = world.engine();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aMessageWaitsAndArrivesInOneLine() {
        world.receiver.does(answer(503), slam(), answer(200));
        fires();

        DeliveryLine line = only();
        assertThat(line.alertId()).isEqualTo(alert.id());
        assertThat(line.webhookName()).isEqualTo(webhook.name());
        assertThat(line.attempt().state()).isEqualTo(State.WAITING);
        assertThat(line.attempt().trouble()).isNotBlank();
        assertThat(line.attempt().nextAt()).isAfter(line.attempt().at());

        world.run(engine, MINUTE);
        DeliveryLine arrived = only();
        assertThat(arrived.attempt())
                .isEqualTo(new DeliveryLine.Attempt(arrived.attempt().at(), 3, State.ARRIVED, 200, null, null));
        assertThat(arrived.attempt().at()).isAfter(line.queuedAt());
    }

    @Test
    void whatIsRefusedForGoodIsGivenUp() {
        world.receiver.does(answer(410));
        fires();
        assertThat(only().attempt().state()).isEqualTo(State.GIVEN_UP);
        assertThat(only().attempt().status()).isEqualTo(410);
    }

    @Test
    void aMessageToAWebhookThatWasDeletedIsGivenUp() {
        world.receiver.does(answer(500));
        fires();
        world.store().write(tables -> tables.of(Webhook.KIND).delete(webhook.id(), webhook.version()));
        world.run(engine, MINUTE);
        assertThat(only().attempt().trouble()).isEqualTo("The webhook was deleted");
        assertThat(only().attempt().state()).isEqualTo(State.GIVEN_UP);
    }

    private void fires() {
        world.breaks(service);
        world.run(engine, MINUTE.plusSeconds(1));
    }

    private DeliveryLine only() {
        Caller caller = new Caller(world.organizationId, UUID.randomUUID(), "key", Set.of(Permission.ALERT_READ));
        List<DeliveryLine> lines = world.log.list(caller.permit(Permission.ALERT_READ, UUID.randomUUID()));
        assertThat(lines).hasSize(1);
        return lines.getFirst();
    }
}
