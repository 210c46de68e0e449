package io.pilothouse.server.api;

import static io.pilothouse.http.api.Operation.alertCreate;
import static io.pilothouse.http.api.Operation.alertDelete;
import static io.pilothouse.http.api.Operation.alertEvaluationGetList;
import static io.pilothouse.http.api.Operation.alertGet;
import static io.pilothouse.http.api.Operation.alertGetList;
import static io.pilothouse.http.api.Operation.alertReplace;
import static io.pilothouse.http.api.Operation.alertSilence;
import static io.pilothouse.http.api.Operation.alertUnsilence;
import static io.pilothouse.http.api.Operation.dashboardCreate;
import static io.pilothouse.http.api.Operation.dashboardDelete;
import static io.pilothouse.http.api.Operation.dashboardGet;
import static io.pilothouse.http.api.Operation.dashboardGetList;
import static io.pilothouse.http.api.Operation.dashboardReplace;
import static io.pilothouse.http.api.Operation.dashboardValidate;
import static io.pilothouse.http.api.Operation.deliveryGetList;
import static io.pilothouse.http.api.Operation.instanceStateUpdate;
import static io.pilothouse.http.api.Operation.webhookCreate;
import static io.pilothouse.http.api.Operation.webhookDelete;
import static io.pilothouse.http.api.Operation.webhookGet;
import static io.pilothouse.http.api.Operation.webhookGetList;
import static io.pilothouse.http.api.Operation.webhookReplace;
import static io.pilothouse.http.api.Operation.webhookTest;

import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.server.webhook.WebhookReceiver.Message;
import java.time.Duration;

/** The part of the page about the alerts interface: a dashboard, a webhook, and an alert that fires and ends. */
final class ApiPageAlerts {
    private static final Duration UNTIL_EVALUATED = Duration.ofSeconds(90);

    private final ApiPage page;
    private final WebhookReceiver receiver;

    ApiPageAlerts(ApiPage page, WebhookReceiver receiver) {
        this.page = page;
        this.receiver = receiver;
    }

    void write() throws InterruptedException {
        page.section("The alerts interface");
        page.words("""

                It has an address of its own, and takes `Authorization: Bearer <token>` on every request. There is no envelope: a
                success is `{data}` (and `meta` beside a list), a refusal `{message}`. The whole contract is served at
                `/openapi.json` of that address.""");
        dashboards();
        webhooks();
        alerts();
    }

    private void dashboards() {
        page.section("Dashboards");
        page.words("""

                The metrics of tiles are the control plane's own:

                | Metric | What it counts | Filter, groupBy |
                |---|---|---|
                | `services` | services now | `state`, `service` |
                | `pipes` | pipes now | `state`, `pipe` |
                | `requests` | requests in the window, on both interfaces | `status`: 2xx, 3xx, 4xx, 5xx |
                | `failing_tasks` | services and pipes whose task fails now | `kind`: service, pipe |
                | `backup_age_seconds` | seconds since the last backup was finished; nothing until there is one | |
                | `pipe_lag_seconds` | how old records are when a pipe writes them; 0 once it has read everything | `pipe` |
                | `pipe_lag_records` | records that a pipe has yet to read | `pipe` |
                | `pipe_error_percent` | of a hundred records of the last five minutes, how many a pipe could not ingest | `pipe` |
                | `pipe_slot_mib` | what a source keeps in its log for the slot of a pipe | `pipe` |

                The last four are what workers reported last, for each pipe that runs or, without `groupBy`, the greatest of all.""");
        page.of(dashboardCreate).keep("dashboardId", "/id");
        page.of(dashboardGetList).query("limit=1").answered();
        page.of(dashboardValidate).answered();
        page.of(dashboardValidate)
                .named("Check a dashboard that could not be made")
                .body("{'name': 'Fleet', 'tiles': [{}]}")
                .answered();
        page.of(dashboardGet).answered();
        page.of(dashboardReplace).answered();
        page.of(dashboardDelete).answered();
    }

    private void webhooks() throws InterruptedException {
        page.section("Webhooks");
        page.of(webhookCreate).keep("webhookId", "/id");
        page.words("""

                Private addresses are refused unless the program was started with `--webhook-allow`. Headers and query parameters
                are never answered; the signing secret is in this answer and nowhere else.""");
        page.of(webhookTest).answered();
        receiver.take();
        page.of(webhookGetList).query("limit=10&offset=0").answered();
        page.of(webhookGet).answered();
        page.of(webhookReplace).answered();
        page.words("\nThe headers went with the address that they were for.");
        page.of(webhookDelete).answered();
    }

    private void alerts() throws InterruptedException {
        page.section("Alerts");
        page.words("""

                `state` is one of `inactive` (nothing is wrong), `pending`, `firing`, `insufficient_data` and `disabled` (its tile is
                gone). A channel is a `webhook`, or `activity`: a line in the organization's activities, which needs no receiver.""");
        page.of(alertGetList).query("limit=1").answered();
        page.is("dashboardId", page.of(dashboardCreate).quietly().path("id"));
        page.is("webhookId", page.of(webhookCreate).quietly().path("id"));
        page.of(alertCreate).body("""
                        {'name': '{{group}} is stopped', 'message': 'Somebody stopped it.',
                         'threshold': 1, 'thresholdType': 'above', 'interval': '1m',
                         'dashboard': '{dashboardId}', 'tileId': 'stopped',
                         'channel': {'type': 'webhook', 'webhookId': '{webhookId}'}}""").keep("alertId", "/id");
        page.of(alertCreate)
                .named("A rule with faults")
                .body("{'threshold': 'many', 'thresholdType': 'over', 'interval': '2m', 'tileId': 'stopped'}")
                .refused(400);
        firing();
        page.of(alertGet).answered();
        page.of(instanceStateUpdate).body("{'command': 'start'}").quietly();
        page.letPass(UNTIL_EVALUATED);
        page.words("\nWhen the service ran again, the same webhook received:\n");
        page.json(receiver.take().body());
        page.of(alertEvaluationGetList).query("limit=2").answered();
        page.of(deliveryGetList).query("limit=1").answered();
        page.of(alertSilence).answered();
        page.of(alertUnsilence).answered();
        page.of(alertReplace).answered();
        page.of(alertDelete).answered();
        page.of(alertCreate).body("""
                        {'name': 'Another', 'threshold': 1, 'thresholdType': 'above', 'interval': '1m',
                         'dashboard': '{dashboardId}', 'tileId': 'stopped',
                         'channel': {'type': 'webhook', 'webhookId': '{webhookId}'}}""").quietly();
        page.of(webhookDelete).named("Delete a webhook that is used").refused(409);
    }

    private void firing() throws InterruptedException {
        page.of(instanceStateUpdate).body("{'command': 'stop'}").quietly();
        page.letPass(UNTIL_EVALUATED);
        page.words("""

                ### An alert that fires
                A service was stopped, and when the minute ended this arrived at the webhook:

                ```""");
        Message message = receiver.take();
        page.words(message.requestLine().replace(" HTTP/1.1", ""));
        for (String name :
                new String[] {"content-type", "webhook-id", "webhook-timestamp", "webhook-signature", "x-team"}) {
            page.line(name + ": " + message.headers().get(name));
        }
        page.words("```");
        page.json(message.body());
        page.words("""

                `webhook-signature` is `v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the signing secret
                (what follows `whsec_` is the key in base64), both in base64: the Standard Webhooks convention. Replace the webhook
                with another `signingSecret` to rotate it: for a day messages are signed with both, the header holds two signatures
                with a space between them, and the receiver may change over at any time within it. `webhook-id` is the same for
                every try of a message, so a receiver that has seen it may drop it. A message is tried for a day, with pauses that
                grow to a quarter of an hour; a 4xx other than 408, 425 and 429 ends it at once. Redirects are not followed.
                Messages about one group of an alert arrive in their order.

                `executionErrors` says why a message has not arrived yet, or was given up while its cause still goes on
                (`WEBHOOK_ERROR`), and why the last evaluation could not do its work (`QUERY_ERROR`, `INVALID_ALERT`). Each
                evaluation begins the list again. What a receiver answered is never in it, only the status.""");
    }
}
