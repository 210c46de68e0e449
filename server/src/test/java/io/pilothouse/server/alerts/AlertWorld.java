package io.pilothouse.server.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertInterval;
import io.pilothouse.core.alert.AlertPass;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertSchedule;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.delivery.DeliveryLog;
import io.pilothouse.core.delivery.DeliveryPass;
import io.pilothouse.core.delivery.DeliverySender;
import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.metric.MetricReading;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookSecrets;
import io.pilothouse.core.webhook.WebhookService;
import io.pilothouse.server.webhook.LoopbackSender;
import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.PipeSample;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An organization with services, alerts and webhooks in a real store, a real receiver, and time that tests move. */
final class AlertWorld implements AutoCloseable {
    static final String SECRET = "a secret to sign with";
    private static final int MAX_TURNS = 20_000;
    private static final Pattern STATE = Pattern.compile("\"state\":\"(\\w+)\"");
    private static final Pattern GROUP = Pattern.compile("\"group\":(null|\"[^\"]*\")");

    final SimTime time = new SimTime();
    final UUID organizationId = UUID.randomUUID();
    final WebhookReceiver receiver = WebhookReceiver.start();
    final LoopbackSender sender = new LoopbackSender(time);
    final Vault vault;
    final MovingPipes pipes = new MovingPipes();
    final DeliveryLog log = new DeliveryLog();
    MetricReader metrics = new MetricReader(pipes);
    private final Store store;

    AlertWorld(Path folder) {
        SecureRandom random = new SecureRandom();
        this.vault = new Vault(VaultKeys.generate(random), random);
        this.store = SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE);
        store.write(tables -> tables.of(Organization.KIND)
                .insert(new Organization(
                        Head.own(organizationId, time.now()),
                        "Mine",
                        OrganizationTier.ENTERPRISE,
                        true,
                        false,
                        List.of(),
                        List.of())));
    }

    /** A pipe of the organization whose workers have reported this; returns its id. */
    UUID moves(Map<PipeFigure, Long> values) {
        UUID id = UUID.randomUUID();
        moves(id, values);
        return id;
    }

    void moves(UUID id, Map<PipeFigure, Long> values) {
        Pipe pipe = PipeSample.running(id, organizationId, UUID.randomUUID(), PipeKind.KAFKA, time.now());
        pipes.put(new PipeFigures(pipe, values, List.of()));
    }

    Store store() {
        return store;
    }

    Dispatcher engine() {
        return engine(store, sender, "test");
    }

    Dispatcher engine(Store through, DeliverySender by, String owner) {
        Map<Kind, Pass> passes = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            passes.put(kind, claim -> {
                throw new IllegalStateException("This engine looks after alerts only: " + claim);
            });
        }
        passes.put(Kind.ALERT, new AlertPass(through, time, new MetricReader(pipes) {
            @Override
            public MetricReading read(Tables tables, UUID id, Tile.Config tile, MetricWindow window) {
                return metrics.read(tables, id, tile, window);
            }
        }));
        passes.put(
                Kind.DELIVERY,
                new DeliveryPass(through, time, vault, by, () -> 1.0, () -> "http://alerts.example", log));
        return new Dispatcher(through, time, passes, Runnable::run, owner, DispatchLimits.USUAL, Pace.USUAL);
    }

    /** Lets time pass with the engine at work. */
    void run(Dispatcher engine, Duration duration) {
        Instant end = time.now().plus(duration);
        for (int turn = 0; time.now().isBefore(end); turn++) {
            assertThat(turn).as("turns").isLessThan(MAX_TURNS);
            Instant next = engine.turn();
            time.advanceTo(next.isBefore(end) ? next : end);
        }
        engine.turn();
    }

    Webhook webhook() {
        return webhook("Hook", receiver.url());
    }

    Webhook webhook(String name, String url) {
        UUID id = UUID.randomUUID();
        WebhookSecrets secrets = new WebhookSecrets(Map.of("X-Team", "blue"), Map.of(), SECRET);
        return store.write(tables -> tables.of(Webhook.KIND)
                .insert(new Webhook(
                        Head.of(id, organizationId, time.now()),
                        time.now(),
                        name,
                        WebhookService.GENERIC,
                        url,
                        null,
                        null,
                        vault.seal(secrets.toBytes(), Webhook.secretsContext(id)))));
    }

    /** A tile of a dashboard of its own. */
    Dashboard dashboard(Tile.Config config) {
        return store.write(tables -> tables.of(Dashboard.KIND)
                .insert(new Dashboard(
                        Head.of(UUID.randomUUID(), organizationId, time.now()),
                        time.now(),
                        "Mine",
                        List.of(),
                        List.of(new Tile("tile", "Tile", 0, 0, 1, 1, config)),
                        false)));
    }

    static Tile.Config failedServices(Map<String, String> more, String groupBy) {
        Map<String, String> filter = new LinkedHashMap<>(Map.of("state", "failed,degraded"));
        filter.putAll(more);
        return new Tile.Config(
                "number", Metric.SERVICES, Metric.Aggregation.LAST, filter, groupBy.isEmpty() ? null : groupBy);
    }

    /** An alert that fires when the tile shows one or more, looked at every minute. */
    Alert alert(Tile.Config config, AlertChannel... channels) {
        return alert(config, AlertInterval.ONE_MINUTE, 1, channels);
    }

    Alert alert(Tile.Config config, AlertInterval interval, int windows, AlertChannel... channels) {
        AlertRule rule = new AlertRule(
                "Something is wrong",
                "",
                null,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 1, null),
                new AlertSchedule(interval, 0, null),
                windows,
                dashboard(config).id(),
                "tile",
                List.of(channels));
        UUID id = UUID.randomUUID();
        AlertWatch watch = AlertWatch.from(rule.schedule().begin(time.now()));
        return store.write(tables -> {
            tables.tasks().wake(Kind.ALERT, id, Urgency.CHANGED, time.now());
            return tables.of(Alert.KIND)
                    .insert(new Alert(Head.of(id, organizationId, time.now()), time.now(), false, rule, null, watch));
        });
    }

    static AlertChannel to(Webhook webhook) {
        return new AlertChannel.ToWebhook(webhook.id());
    }

    Alert alert(UUID id) {
        return store.read(tables -> tables.of(Alert.KIND).find(id).orElseThrow());
    }

    /** Writes an alert as a request does: the row, and its task due now. */
    void change(Alert alert, UnaryOperator<Alert> change) {
        store.write(tables -> {
            tables.tasks().wake(Kind.ALERT, alert.id(), Urgency.CHANGED, time.now());
            return tables.of(Alert.KIND)
                    .overwrite(
                            change.apply(tables.of(Alert.KIND).find(alert.id()).orElseThrow()));
        });
    }

    List<AlertEvaluation> history(Alert alert) {
        return store.read(tables -> tables.of(AlertEvaluation.KIND).page(alert.id(), null, 1_000));
    }

    List<String> activities() {
        return store.read(tables -> tables.of(Activity.KIND).page(organizationId, null, 1_000).stream()
                .map(Activity::type)
                .toList());
    }

    long deliveriesWaiting() {
        return store.read(tables -> tables.of(Delivery.KIND).count(organizationId));
    }

    Service service() {
        Service wanted = ServiceSample.wanted(UUID.randomUUID(), organizationId, time.now());
        Seen running = new Seen(Condition.RUNNING, true, "25.8", null, time.now());
        return store.write(tables -> tables.of(Service.KIND).insert(wanted.withSeen(running)));
    }

    void breaks(Service service) {
        seen(service, "It broke down");
    }

    void heals(Service service) {
        seen(service, null);
    }

    private void seen(Service service, @Nullable String trouble) {
        store.write(tables -> {
            Service row = tables.of(Service.KIND).find(service.id()).orElseThrow();
            return tables.of(Service.KIND).overwrite(row.withSeen(row.seen().withTrouble(trouble)));
        });
    }

    void removes(Service service) {
        store.write(tables -> {
            Service row = tables.of(Service.KIND).find(service.id()).orElseThrow();
            return tables.of(Service.KIND).delete(row.id(), row.version());
        });
    }

    void counts(String series, Instant minute, long count) {
        store.write(tables -> {
            tables.metricPoints().add(organizationId, series, minute, count);
            return true;
        });
    }

    /** The messages that arrived so far, in order, as state and group. */
    List<String> received() {
        List<String> all = new ArrayList<>();
        for (WebhookReceiver.Message message : receiver.messages()) {
            all.add(text(message));
        }
        return all;
    }

    /** The messages that arrived, without repeats. */
    List<String> receivedOnce() {
        Map<String, String> byId = new LinkedHashMap<>();
        receiver.messages()
                .forEach(message -> byId.putIfAbsent(message.headers().getOrDefault("webhook-id", ""), text(message)));
        return List.copyOf(byId.values());
    }

    private static String text(WebhookReceiver.Message message) {
        Matcher state = STATE.matcher(message.body());
        Matcher group = GROUP.matcher(message.body());
        assertThat(state.find() && group.find()).as(message.body()).isTrue();
        return state.group(1)
                + (group.group(1).equals("null") ? "" : " " + group.group(1).replace("\"", ""));
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        store.close();
    }
}
