package io.pilothouse.core.webhook;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.TextRule;
import io.pilothouse.core.secret.Signature;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the draft of a webhook against the rules, whose faults never show a secret. */
public final class WebhookRules {
    private static final int MIN_KEY_BYTES = 16;
    private static final int MAX_PORT = 65_535;
    private static final String REQUIRED = "is required";

    /** Headers that frame or sign the message, which a client must not set. */
    private static final Set<String> OURS = Set.of(
            "host",
            "connection",
            "content-length",
            "content-type",
            "expect",
            "idempotency-key",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "webhook-id",
            "webhook-signature",
            "webhook-timestamp");

    private final Faults faults;
    private final WebhookAddresses addresses;

    public WebhookRules(Faults faults, WebhookAddresses addresses) {
        this.faults = faults;
        this.addresses = addresses;
    }

    /** The result of a draft without faults. */
    public record Fields(
            String name,
            WebhookService service,
            String url,
            @Nullable String description,
            @Nullable String body) {}

    /** Collects all faults; the result is valid only if there are none. */
    public Fields fields(WebhookDraft draft) {
        String name = required("name", draft.name());
        check(RuleBook.WEBHOOK_NAME, "name", name);
        String word = required("service", draft.service());
        WebhookService service = WebhookService.find(word).orElse(null);
        if (service == null && !faults.has("service")) {
            faults.add("service", WebhookService.WORDS.message());
        }
        String url = required("url", draft.url());
        if (!faults.has("url")) {
            checkUrl(url, service);
        }
        RuleBook.WEBHOOK_DESCRIPTION.check("description", draft.description(), faults);
        RuleBook.WEBHOOK_BODY.check("body", draft.body(), faults);
        checkHeaders(draft.headers());
        checkEntries("queryParams", draft.queryParams());
        if (draft.signingSecret() != null && !faults.has("signingSecret")) {
            checkSecret(draft.signingSecret());
        }
        if (service == WebhookService.SLACK) {
            refuseForSlack("body", draft.body() != null && !draft.body().isEmpty());
            refuseForSlack(
                    "headers", draft.headers() != null && !draft.headers().isEmpty());
            refuseForSlack(
                    "queryParams",
                    draft.queryParams() != null && !draft.queryParams().isEmpty());
        }
        return new Fields(
                name,
                service == null ? WebhookService.GENERIC : service,
                url,
                emptyToNull(draft.description()),
                emptyToNull(draft.body()));
    }

    private String required(String path, @Nullable String text) {
        if (text != null && !text.isBlank()) {
            return text;
        }
        if (!faults.has(path)) {
            faults.add(path, REQUIRED);
        }
        return "";
    }

    private void check(TextRule rule, String path, String text) {
        if (!faults.has(path)) {
            rule.check(path, text, faults);
        }
    }

    private void checkUrl(String text, @Nullable WebhookService service) {
        RuleBook.WEBHOOK_URL.check("url", text, faults);
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException malformed) {
            faults.add("url", "is not a URL");
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        String host = url.getHost();
        if (!scheme.equals("http") && !scheme.equals("https")) {
            faults.add("url", "must begin with http:// or https://");
        } else if (host == null || url.getPort() == 0 || url.getPort() > MAX_PORT) {
            faults.add("url", "must name a host and, if any, a port from 1 to " + MAX_PORT);
        } else if (url.getRawUserInfo() != null) {
            faults.add("url", "must not hold credentials: put them into headers, which are never shown");
        } else if (url.getRawFragment() != null) {
            faults.add("url", "must not have a fragment");
        } else if (service == WebhookService.SLACK && !isSlack(host)) {
            faults.add("url", "must be at slack.com for the service slack");
        } else if (!addresses.allow(host)) {
            faults.add("url", "must not lead to a private, local or reserved address");
        }
    }

    private static boolean isSlack(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.equals("slack.com") || lower.endsWith(".slack.com");
    }

    private void checkHeaders(@Nullable Map<String, String> headers) {
        checkEntries("headers", headers);
        if (headers == null) {
            return;
        }
        for (String name : headers.keySet()) {
            if (RuleBook.WEBHOOK_HEADER.breach(name).isPresent()) {
                faults.add("headers." + printable(name), RuleBook.WEBHOOK_HEADER.message());
            } else if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
                faults.add("headers." + name, "is set by the sender");
            }
        }
    }

    private void checkEntries(String path, @Nullable Map<String, String> entries) {
        if (entries == null) {
            return;
        }
        RuleBook.WEBHOOK_ENTRIES.check(path, entries.size(), faults);
        entries.forEach((name, value) -> {
            String at = path + "." + printable(name);
            if (name.isEmpty() || hasControls(name) || hasControls(value)) {
                faults.add(at, "must have a name, and no control characters");
            } else {
                RuleBook.WEBHOOK_VALUE.check(at, value, faults);
            }
        });
    }

    private void checkSecret(String secret) {
        RuleBook.SIGNING_SECRET.check("signingSecret", secret, faults);
        if (!faults.has("signingSecret")
                && secret.startsWith(Signature.PREFIX)
                && !isKey(secret.substring(Signature.PREFIX.length()))) {
            faults.add(
                    "signingSecret",
                    "must go on with " + MIN_KEY_BYTES + " bytes or more in base64 after " + Signature.PREFIX);
        }
    }

    private static boolean isKey(String text) {
        try {
            return Base64.getDecoder().decode(text).length >= MIN_KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private void refuseForSlack(String path, boolean given) {
        if (given) {
            faults.add(path, "does not belong to the service slack");
        }
    }

    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    private static String printable(String name) {
        return hasControls(name) ? "?" : name;
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
