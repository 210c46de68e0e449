package io.pilothouse.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.delivery.DeliveryRequest;
import io.pilothouse.core.delivery.DeliverySender.Answered;
import io.pilothouse.core.delivery.DeliverySender.Forbidden;
import io.pilothouse.core.delivery.DeliverySender.Outcome;
import io.pilothouse.core.delivery.DeliverySender.Unanswered;
import io.pilothouse.core.emulator.ClockState;
import io.pilothouse.core.emulator.MovableClock;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.core.webhook.WebhookSecrets;
import io.pilothouse.core.webhook.WebhookService;
import io.pilothouse.outgoing.OutgoingHttp;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSenderTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final WebhookAddresses LOOPBACK = WebhookAddresses.allowing(List.of("127.0.0.0/8"));
    private static final WebhookSender.Times QUICK =
            new WebhookSender.Times(Duration.ofMillis(500), Duration.ofMillis(500));

    private final WebhookReceiver receiver = WebhookReceiver.start();
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(receiver));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void aMessageArrivesAsItWasMade() throws InterruptedException {
        WebhookSecrets secrets =
                new WebhookSecrets(Map.of("X-Key", "s\u00e9cret"), Map.of("to ken", "a&b"), "0123456789abcdef");

        Outcome outcome =
                sender(LOOPBACK, OutgoingHttp.Resolver.ofMachine()).send(request(receiver.url() + "?a=1", secrets));

        assertThat(outcome).isEqualTo(new Answered(204, null));
        WebhookReceiver.Message message = receiver.take();
        assertThat(message.requestLine()).isEqualTo("POST /hook?a=1&to%20ken=a%26b HTTP/1.1");
        assertThat(message.headers())
                .containsEntry("host", "127.0.0.1:" + receiver.port())
                .containsEntry("connection", "close")
                .containsEntry("content-type", "application/json")
                .containsEntry("x-key", "s\u00c3\u00a9cret")
                .containsOnlyKeys(
                        "host",
                        "connection",
                        "user-agent",
                        "content-length",
                        "content-type",
                        "webhook-signature",
                        "webhook-id",
                        "webhook-timestamp",
                        "idempotency-key",
                        "x-key");
        assertThat(message.body()).contains("\"title\":\"Firing: a\"");
    }

    @Test
    void aUrlWithoutAPathMeansTheRoot() throws InterruptedException {
        send("http://127.0.0.1:" + receiver.port());

        WebhookReceiver.Message message = receiver.take();
        assertThat(message.requestLine()).isEqualTo("POST / HTTP/1.1");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 299, 301, 307, 400, 404, 410, 500, 503})
    void theStatusIsReportedAndNoRedirectIsFollowed(int status) {
        receiver.does(WebhookReceiver.answer(status, "Location: " + receiver.url() + "/elsewhere"));

        assertThat(send(receiver.url())).isEqualTo(new Answered(status, null));
        assertThat(receiver.messages()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "120, 120",
        "0, 0",
        "'Sun, 01 Mar 2026 12:01:30 GMT', 90",
        "'Sun, 01 Mar 2026 11:00:00 GMT', 0",
    })
    void aReceiverMayAskToBeLeftAloneForAWhile(String text, long seconds) {
        receiver.does(WebhookReceiver.answer(429, "X-Other: 1", "retry-AFTER: " + text));

        assertThat(send(receiver.url())).isEqualTo(new Answered(429, Duration.ofSeconds(seconds)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-1", "12345678901", ""})
    void aMalformedTimeIsIgnored(String text) {
        receiver.does(WebhookReceiver.answer(503, "Retry-After: " + text));

        assertThat(send(receiver.url())).isEqualTo(new Answered(503, null));
    }

    @Test
    void aDateIsReadByTheTimeOfTheMachine() {
        receiver.does(WebhookReceiver.answer(503, "Retry-After: Sun, 01 Mar 2026 12:01:00 GMT"));
        ClockState aDayLater = new ClockState(NOW, NOW.plus(Duration.ofDays(1)), 1);
        WebhookSender sender = new WebhookSender(
                LOOPBACK,
                OutgoingHttp.Resolver.ofMachine(),
                () -> (SSLSocketFactory) SSLSocketFactory.getDefault(),
                new MovableClock(() -> NOW, aDayLater, _ -> {}),
                WebhookSender.Times.USUAL);
        opened.add(sender);

        assertThat(sender.send(request(receiver.url(), WebhookSecrets.NONE)))
                .isEqualTo(new Answered(503, Duration.ofMinutes(1)));
    }

    @Test
    void interimAnswersArePassedOver() {
        receiver.does(
                WebhookReceiver.raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\nHTTP/1.0 202 Ok\n\n"));

        assertThat(send(receiver.url())).isEqualTo(new Answered(202, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1",
                "HTTP/2 200 OK\r\n\r\n",
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/1.1 99 Low\r\n\r\n",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 200 OK\r\nHalf"
            })
    void aMalformedAnswerCountsAsNone(String text) {
        receiver.does(WebhookReceiver.raw(text));

        assertThat(send(receiver.url())).isInstanceOf(Unanswered.class);
    }

    @Test
    void interimAnswersWithoutAnEndAreNoAnswer() {
        receiver.does(WebhookReceiver.endless("", "HTTP/1.1 103 Early\r\n\r\n"));

        assertThat(send(receiver.url())).isInstanceOf(Unanswered.class);
    }

    @Test
    void aHeadThatNeverEndsIsGivenUp() {
        receiver.does(WebhookReceiver.endless("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"));

        assertThat(send(receiver.url())).isInstanceOf(Unanswered.class);
    }

    @Test
    void aBodyThatNeverEndsChangesNothing() {
        receiver.does(WebhookReceiver.endless("HTTP/1.1 200 OK\r\n\r\n", "more and more and more"));

        assertThat(send(receiver.url())).isEqualTo(new Answered(200, null));
    }

    @Test
    void aReceiverThatHangsIsGivenUpInTime() {
        receiver.does(WebhookReceiver.hang());
        long begun = System.nanoTime();

        Outcome outcome = quick().send(request(receiver.url(), WebhookSecrets.NONE));

        assertThat(outcome).isInstanceOf(Unanswered.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aReceiverThatAnswersByDropsIsGivenUpInTime() {
        receiver.does((out, _) -> {
            out.write("HTTP/1.1 200 O".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write('K');
                out.flush();
                // The pace of the drops is what this is about: each comes before a read would time out.
                Thread.sleep(20);
            }
        });
        long begun = System.nanoTime();

        assertThat(quick().send(request(receiver.url(), WebhookSecrets.NONE))).isInstanceOf(Unanswered.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aReceiverThatBreaksTheConnectionDidNotAnswer() {
        receiver.does(WebhookReceiver.slam());

        assertThat(send(receiver.url())).isInstanceOf(Unanswered.class);
    }

    @Test
    void aMissingReceiverDidNotAnswer() {
        String url = receiver.url();
        receiver.close();

        assertThat(send(url)).isEqualTo(new Unanswered("The webhook did not answer"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:%d/",
                "http://localhost:%d/",
                "http://[::ffff:127.0.0.1]:%d/",
                "http://[::1]:%d/"
            })
    void aWebhookIntoThisNetworkIsRefusedBeforeAnythingIsSent(String url) {
        WebhookSender sender = sender(WebhookAddresses.allowing(List.of()), OutgoingHttp.Resolver.ofMachine());

        assertThat(sender.send(request(String.format(Locale.ROOT, url, receiver.port()), WebhookSecrets.NONE)))
                .isInstanceOf(Forbidden.class);
        assertThat(receiver.messages()).isEmpty();
    }

    @Test
    void oneAddressThatIsNotAllowedIsEnoughToRefuse() {
        InetAddress known = InetAddress.ofLiteral("1.1.1.1");
        InetAddress home = InetAddress.ofLiteral("127.0.0.1");
        WebhookSender sender = sender(WebhookAddresses.allowing(List.of()), _ -> List.of(known, home));

        assertThat(sender.send(request("http://both.example:" + receiver.port(), WebhookSecrets.NONE)))
                .isInstanceOf(Forbidden.class);
    }

    @Test
    void aNameThatChangesItsMindIsAskedOnceAndTheCheckedAddressIsConnectedTo() {
        List<String> asked = new ArrayList<>();
        InetAddress allowed = InetAddress.ofLiteral("127.0.0.1");
        InetAddress elsewhere = InetAddress.ofLiteral("169.254.169.254");
        OutgoingHttp.Resolver rebinding = host -> {
            asked.add(host);
            return List.of(asked.size() == 1 ? allowed : elsewhere);
        };
        WebhookSender sender = sender(LOOPBACK, rebinding);
        DeliveryRequest request = request("http://rebind.example:" + receiver.port() + "/", WebhookSecrets.NONE);

        assertThat(sender.send(request)).isEqualTo(new Answered(204, null));
        assertThat(asked).containsExactly("rebind.example");
        assertThat(receiver.messages().getFirst().headers()).containsEntry("host", "rebind.example:" + receiver.port());

        // The next try asks again and now meets the other answer, to which nothing is sent.
        assertThat(sender.send(request)).isInstanceOf(Forbidden.class);
        assertThat(receiver.messages()).hasSize(1);
    }

    @Test
    void aNameAllowedByTheOperatorMayLeadAnywhere() {
        InetAddress home = InetAddress.ofLiteral("127.0.0.1");
        WebhookSender sender = sender(WebhookAddresses.allowing(List.of("inside.example")), _ -> List.of(home));

        assertThat(sender.send(request("http://inside.example:" + receiver.port(), WebhookSecrets.NONE)))
                .isEqualTo(new Answered(204, null));
    }

    @Test
    void anAddressThatDoesNotAnswerIsPassedOverForTheNext() {
        // Nothing listens on this port at the first address.
        List<InetAddress> both = List.of(InetAddress.ofLiteral("127.0.0.2"), InetAddress.ofLiteral("127.0.0.1"));

        assertThat(sender(LOOPBACK, _ -> both)
                        .send(request("http://two.example:" + receiver.port(), WebhookSecrets.NONE)))
                .isEqualTo(new Answered(204, null));
    }

    @Test
    void anUnknownNameIsTriedAgainLater() {
        WebhookSender sender = sender(LOOPBACK, host -> {
            throw new UnknownHostException(host);
        });

        assertThat(sender.send(request("http://nowhere.example/", WebhookSecrets.NONE)))
                .isEqualTo(new Unanswered("The name of the webhook cannot be looked up"));
    }

    @Test
    void aLookupThatHangsIsGivenUpAndDoesNotHoldOthers() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        WebhookSender sender = new WebhookSender(
                LOOPBACK,
                host -> {
                    if (host.equals("hangs.example")) {
                        try {
                            hanging.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    return List.of(InetAddress.ofLiteral("127.0.0.1"));
                },
                () -> (SSLSocketFactory) SSLSocketFactory.getDefault(),
                () -> NOW,
                new WebhookSender.Times(Duration.ofSeconds(2), Duration.ofSeconds(10)));
        opened.add(sender);

        assertThat(sender.send(request("http://hangs.example/", WebhookSecrets.NONE)))
                .isEqualTo(new Unanswered("The name of the webhook cannot be looked up"));
        assertThat(sender.send(request("http://good.example:" + receiver.port(), WebhookSecrets.NONE)))
                .isEqualTo(new Answered(204, null));
    }

    @Test
    void plainTextIsNoTls() {
        DeliveryRequest request = request("https://127.0.0.1:" + receiver.port() + "/", WebhookSecrets.NONE);

        assertThat(quick().send(request)).isInstanceOf(Unanswered.class);
        // The greeting may look like lines to it.
        assertThat(receiver.messages())
                .noneMatch(message -> message.requestLine().startsWith("POST"));
    }

    private Outcome send(String url) {
        return sender(LOOPBACK, OutgoingHttp.Resolver.ofMachine()).send(request(url, WebhookSecrets.NONE));
    }

    private WebhookSender quick() {
        return sender(LOOPBACK, OutgoingHttp.Resolver.ofMachine(), QUICK);
    }

    private WebhookSender sender(WebhookAddresses addresses, OutgoingHttp.Resolver resolver) {
        return sender(addresses, resolver, WebhookSender.Times.USUAL);
    }

    private WebhookSender sender(
            WebhookAddresses addresses, OutgoingHttp.Resolver resolver, WebhookSender.Times times) {
        WebhookSender sender = new WebhookSender(
                addresses, resolver, () -> (SSLSocketFactory) SSLSocketFactory.getDefault(), () -> NOW, times);
        opened.add(sender);
        return sender;
    }

    private static DeliveryRequest request(String url, WebhookSecrets secrets) {
        DeliveryEvent event = new DeliveryEvent(
                DeliveryEvent.Kind.FIRING,
                UUID.randomUUID(),
                "",
                "Firing: a",
                "Text",
                1.0,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 1, null),
                new MetricWindow(NOW, NOW.plusSeconds(60)));
        Webhook webhook = new Webhook(
                new Head(UUID.randomUUID(), UUID.randomUUID(), NOW, 1),
                NOW,
                "Hook",
                WebhookService.GENERIC,
                url,
                null,
                null,
                "sealed");
        return DeliveryRequest.of(UUID.randomUUID(), event, webhook, secrets, "http://pilothouse.example", () -> NOW);
    }
}
