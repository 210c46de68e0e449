package io.pilothouse.testkit.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A caller of an API; each {@code with} gives another caller and leaves this one unchanged. */
public final class ApiCaller {
    private static final byte @Nullable [] NOTHING = null;

    private final Api api;
    private final ApiCredentials credentials;
    private final List<Map.Entry<String, String>> headers;
    private final boolean mayFail;
    private final boolean traced;

    ApiCaller(
            Api api,
            ApiCredentials credentials,
            List<Map.Entry<String, String>> headers,
            boolean mayFail,
            boolean traced) {
        this.api = api;
        this.credentials = credentials;
        this.headers = List.copyOf(headers);
        this.mayFail = mayFail;
        this.traced = traced;
    }

    public ApiCredentials credentials() {
        return credentials;
    }

    public ApiCaller with(String header, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(header, value));
        return new ApiCaller(api, credentials, more, mayFail, traced);
    }

    /** A caller that may meet a 5xx. */
    public ApiCaller ofBrokenHouse() {
        return new ApiCaller(api, credentials, headers, true, false);
    }

    /** One of several concurrent callers: changes during its writes may come from the others. */
    public ApiCaller inACrowd() {
        return new ApiCaller(api, credentials, headers, mayFail, false);
    }

    public ApiAnswer get(String target) {
        return send("GET", target, NOTHING);
    }

    public ApiAnswer post(String target, String body) {
        return send("POST", target, ApiJson.text(body));
    }

    public ApiAnswer put(String target, String body) {
        return send("PUT", target, ApiJson.text(body));
    }

    public ApiAnswer patch(String target, String body) {
        return send("PATCH", target, ApiJson.text(body));
    }

    public ApiAnswer delete(String target) {
        return send("DELETE", target, NOTHING);
    }

    /** The body is sent as it is. */
    public ApiAnswer send(String method, String target, @Nullable String body) {
        return send(method, target, body == null ? null : body.getBytes(StandardCharsets.UTF_8));
    }

    public ApiAnswer send(String method, String target, byte @Nullable [] body) {
        return api.send(new Api.Asked(method, target, credentials, headers, body, mayFail, traced));
    }
}
