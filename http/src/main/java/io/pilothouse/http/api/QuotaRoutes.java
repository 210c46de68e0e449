package io.pilothouse.http.api;

import io.pilothouse.core.quota.Quota;
import io.pilothouse.core.quota.QuotaOperations;
import io.pilothouse.core.quota.QuotaView;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.Request;

/** The quotas of an organization over HTTP. */
public record QuotaRoutes(QuotaOperations quotas) {
    public Answer list(Request request) {
        return Listing.answer(request, quotas.list(request.checkedPermit()), QuotaRoutes::write);
    }

    public Answer get(Request request) {
        return request.one(quotas.get(request.checkedPermit(), request.name("quotaCode")), QuotaRoutes::write);
    }

    private static void write(JsonWriter out, QuotaView view) {
        Quota quota = view.quota();
        out.startObject();
        out.text("quotaCode", quota.code());
        out.text("name", quota.title());
        out.text("description", quota.description());
        out.text("scope", quota.scope());
        out.whole("value", view.value());
        if (view.usage() != null) {
            out.whole("usage", view.usage());
        }
        // The operator of the server sets it.
        out.flag("adjustable", true);
        out.endObject();
    }
}
