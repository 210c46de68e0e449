package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.query.RowPage;
import io.pilothouse.console.query.SqlOutline;
import io.pilothouse.core.service.Service;

/** Forms that run a statement once more, for the rows before and after those that a page shows. */
record QueryWays(Visit visit, Service service, QueryPage.Sent sent, QueryRows rows) {
    /** What changes something is run once and no more, and a text is no rows. */
    boolean lead() {
        return !rows.names().isEmpty() && SqlOutline.of(sent.sql()).isPaged();
    }

    void write(Html html) {
        boolean more = rows.cut() && !rows.rows().isEmpty();
        if (!lead() || (!more && sent.rows().previous().isEmpty())) {
            return;
        }
        html.in(
                tag("p", "class", "quiet"),
                "Other rows are asked for with the same statement, which is run again."
                        + (SqlOutline.of(sent.sql()).isOrdered()
                                ? ""
                                : " It has no ORDER BY of its own, so they may come in another order each time: some "
                                        + "may be seen twice and others not at all."));
        html.in(tag("div", "class", "actions"), () -> {
            sent.rows().previous().ifPresent(previous -> way(html, previous, "Previous rows"));
            if (more) {
                way(html, sent.rows().next(rows.rows().size()), "Next rows");
            }
        });
    }

    private void way(Html html, RowPage to, String label) {
        Page.form(html, visit, "/query/" + service.id(), () -> {
            hidden(html, "sql", sent.sql());
            hidden(html, "wake", sent.mayWake() ? "true" : "");
            hidden(html, "from", Long.toString(to.from()));
            hidden(html, "before", to.beforeText());
            html.in(tag("button", "type", "submit"), label);
        });
    }

    private static void hidden(Html html, String name, String value) {
        html.one(tag("input", "type", "hidden", "name", name, "value", value));
    }
}
