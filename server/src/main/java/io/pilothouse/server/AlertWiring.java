package io.pilothouse.server;

import io.pilothouse.core.alert.AlertPass;
import io.pilothouse.core.alert.AlertSetup;
import io.pilothouse.core.delivery.DeliveryLog;
import io.pilothouse.core.delivery.DeliveryPass;
import io.pilothouse.core.delivery.WebhookOperations;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.metrics.MetricCounter;
import io.pilothouse.server.webhook.WebhookSender;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocketFactory;

/** Everything that evaluates, delivers and serves alerts, made once; {@link Wiring} joins it to the rest. */
final class AlertWiring {
    private final Store store;
    private final Clock clock;
    private final Vault vault;
    private final SecureRandom random;
    private final WebhookAddresses addresses;
    private final WebhookSender sender;
    private final MetricCounter counter;
    private final AtomicReference<String> url;
    private final DeliveryLog deliveries = new DeliveryLog();

    AlertWiring(
            Config config,
            Surroundings surroundings,
            Store store,
            Vault vault,
            WebhookAddresses addresses,
            Opened opened) {
        this.store = store;
        this.clock = surroundings.clock();
        this.vault = vault;
        this.random = surroundings.random();
        this.addresses = addresses;
        this.sender = new WebhookSender(
                addresses,
                OutgoingHttp.Resolver.ofMachine(),
                () -> (SSLSocketFactory) SSLSocketFactory.getDefault(),
                clock,
                WebhookSender.Times.USUAL);
        opened.add("sender of webhooks", sender::close);
        this.counter = new MetricCounter(store, clock);
        opened.add("counter of requests", counter::close);
        this.url = new AtomicReference<>(config.find(Options.ALERTS_URL).orElse(""));
    }

    /** Before the engine runs: organizations that are older than the built-in alerts get theirs. */
    void begin() {
        new AlertSetup(store, clock).everywhere();
        counter.start();
    }

    Map<Tasks.Kind, Pass> passes(PipeProgress pipes) {
        return Map.of(
                Tasks.Kind.ALERT,
                new AlertPass(store.forTheEngine(), clock, new MetricReader(pipes)),
                Tasks.Kind.DELIVERY,
                new DeliveryPass(
                        store.forTheEngine(), clock, vault, sender, AlertWiring::chance, url::get, deliveries));
    }

    WebhookOperations webhooks() {
        return new WebhookOperations(store, clock, vault, random, addresses, sender, url::get);
    }

    /** How the latest messages fared. */
    DeliveryLog deliveries() {
        return deliveries;
    }

    /** Hears of every request, which is what some alerts are about. */
    MetricCounter counter() {
        return counter;
    }

    /** Where the alerts interface came to listen, for the links in messages, unless an option says otherwise. */
    void listensAt(String alertsUrl) {
        url.compareAndSet("", alertsUrl);
    }

    private static double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
