package io.pilothouse.testkit.simulation;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertDraft;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.key.ApiKeyChange;
import io.pilothouse.core.key.ApiKeyDraft;
import io.pilothouse.core.key.NewApiKey;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.webhook.WebhookCreated;
import io.pilothouse.core.webhook.WebhookDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Clients of an organization that make and delete its keys, webhooks and alerts. */
final class SimWatchers {
    private static final int MAX_OTHERS = 4;
    private static final List<String> INTERVALS = List.of("15m", "1h", "1h", "6h", "6h", "6h", "12h", "1d");

    private final SimRequests requests;
    private final SimFleet fleet;
    private final SimModel model;
    private final Permit permit;
    private final List<SimTiles.Place> tiles;

    SimWatchers(SimRequests requests, SimFleet fleet, SimModel model, Permit permit, List<SimTiles.Place> tiles) {
        this.requests = requests;
        this.fleet = fleet;
        this.model = model;
        this.permit = permit;
        this.tiles = tiles;
    }

    void key() {
        Optional<UUID> some = requests.oneOf(model.keys.keySet());
        int roll = requests.chance().nextInt(3);
        String name = requests.name("key");
        if (some.isEmpty() || (roll == 0 && model.keys.size() < MAX_OTHERS)) {
            ApiKeyDraft draft = new ApiKeyDraft(name, null, null, null, null, null, null);
            requests.send(
                    "create " + name,
                    made -> model.keys.put(((NewApiKey) made).view().key().id(), name),
                    process -> SimRequests.write(process, () -> process.keys.create(permit, draft, new Faults())));
        } else if (roll == 1) {
            UUID id = some.get();
            ApiKeyChange change = new ApiKeyChange(name, null, null, null, false, null, null);
            requests.send(
                    "rename key " + id,
                    _ -> model.keys.replace(id, name),
                    process -> process.keys.update(permit, id, change, Precondition.none(), new Faults()));
        } else {
            deleteKey(some.get());
        }
    }

    void deleteKey(UUID id) {
        requests.send(
                "delete key " + id,
                _ -> model.keys.remove(id),
                process -> process.keys.delete(permit, id, Precondition.none()));
    }

    void webhook() {
        Optional<UUID> some = requests.oneOf(model.webhooks.keySet());
        int roll = requests.chance().nextInt(4);
        String name = requests.name("webhook");
        WebhookDraft draft = new WebhookDraft(
                name,
                "generic",
                "https://hooks.example.com/" + requests.chance().nextInt(1_000),
                null,
                null,
                null,
                null,
                null);
        if (some.isEmpty() || (roll < 2 && model.webhooks.size() < MAX_OTHERS)) {
            requests.send(
                    "create " + name,
                    made -> model.webhooks.put(((WebhookCreated) made).webhook().id(), name),
                    process -> SimRequests.write(process, () -> process.webhooks.create(permit, draft, new Faults())));
        } else if (roll == 2) {
            UUID id = some.get();
            requests.send(
                    "replace webhook " + id,
                    _ -> model.webhooks.replace(id, name),
                    process -> process.webhooks.replace(permit, id, draft, Precondition.none(), new Faults()));
        } else {
            deleteWebhook(some.get());
        }
    }

    void deleteWebhook(UUID id) {
        requests.send(
                "delete webhook " + id,
                _ -> model.webhooks.remove(id),
                process -> process.webhooks.delete(permit, id, Precondition.none()));
    }

    void alert() {
        Optional<UUID> some = requests.oneOf(model.alerts.keySet());
        int roll = requests.chance().nextInt(6);
        String name = requests.name("alert");
        if (some.isEmpty() || (roll < 3 && model.alerts.size() < MAX_OTHERS)) {
            AlertDraft draft = draft(name);
            requests.send(
                    "create " + name,
                    made -> model.alerts.put(((Alert) made).id(), name),
                    process -> SimRequests.write(process, () -> process.alerts.create(permit, draft, new Faults())));
        } else if (roll == 3) {
            UUID id = some.get();
            AlertDraft draft = draft(name);
            requests.send(
                    "replace alert " + id,
                    _ -> model.alerts.replace(id, name),
                    process -> process.alerts.replace(permit, id, draft, Precondition.none(), new Faults()));
        } else if (roll == 4) {
            UUID id = some.get();
            String until = fleet.now()
                    .plusSeconds(requests.chance().nextInt(100_000) + 1)
                    .toString();
            requests.send(
                    "silence " + id,
                    _ -> {},
                    process ->
                            SimRequests.write(process, () -> process.alerts.silence(permit, id, until, new Faults())));
        } else {
            deleteAlert(some.get());
        }
    }

    void deleteAlert(UUID id) {
        requests.send(
                "delete alert " + id,
                _ -> model.alerts.remove(id),
                process -> process.alerts.delete(permit, id, Precondition.none()));
    }

    private AlertDraft draft(String name) {
        SimTiles.Place tile = requests.oneOf(tiles).orElseThrow();
        List<AlertDraft.Channel> channels = new ArrayList<>();
        channels.add(new AlertDraft.Channel("activity", null));
        requests.oneOf(model.webhooks.keySet())
                .ifPresent(id -> channels.add(new AlertDraft.Channel("webhook", id.toString())));
        return new AlertDraft(
                name,
                null,
                null,
                (double) (1 + requests.chance().nextInt(2)),
                null,
                "above",
                requests.oneOf(INTERVALS).orElseThrow(),
                null,
                false,
                null,
                "tile",
                tile.dashboardId().toString(),
                null,
                tile.tileId(),
                null,
                channels,
                null,
                null);
    }
}
