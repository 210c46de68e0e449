package io.pilothouse.http;

import io.pilothouse.core.domain.Faults;
import io.pilothouse.core.domain.Permission;
import java.util.List;

/** The operations of the alerts interface, which has no envelope. */
public final class AlertRoutes {
    private static final int MOST = 1000;

    private final AlertFeed feed;

    public AlertRoutes(AlertFeed feed) {
        this.feed = feed;
    }

    public List<Route> routes() {
        return List.of(new Route("alertGetList", Verb.GET, "/api/v2/alerts", Permission.ALERT_READ, this::list));
    }

    private Answer list(Request request) {
        Faults faults = new Faults();
        Query query = request.query(faults);
        int limit = query.whole("limit", 1, MOST, MOST);
        int offset = query.whole("offset", 0, Integer.MAX_VALUE, 0);
        faults.refuseIfAny();
        AlertFeed.Page page = feed.page(request.permit(), limit, offset);
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            out.list("data", page.alerts(), (writer, alert) -> alert.write(writer));
            out.startObject("meta");
            out.whole("total", page.total());
            out.whole("limit", limit);
            out.whole("offset", offset);
            out.endObject();
            out.endObject();
        });
        return Answer.json(document).with("X-Total-Count", Long.toString(page.total()));
    }
}
