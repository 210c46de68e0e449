package io.pilothouse.store;

import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.metric.MetricWindow;
import org.jspecify.annotations.Nullable;

/** The lines of alerts' histories as rows, which belong to their alert and are in the order of their windows' ends. */
final class AlertEvaluationRows implements Rows<AlertEvaluation> {
    @Override
    public Kind<AlertEvaluation> kind() {
        return AlertEvaluation.KIND;
    }

    @Override
    public @Nullable String reference(AlertEvaluation row) {
        return null;
    }

    @Override
    public void write(AlertEvaluation row, DocumentOut document) {
        document.text("from", row.window().from())
                .text("group", row.group())
                .decimal("value", row.value())
                .text("state", row.state());
    }

    @Override
    public AlertEvaluation read(Head head, DocumentIn document) {
        return new AlertEvaluation(
                head.id(),
                head.ownerId(),
                new MetricWindow(document.instant("from", head.createdAt()), head.createdAt()),
                document.text("group", ""),
                document.decimalOrNull("value"),
                document.choice("state", AlertState.INACTIVE));
    }

    @Override
    public AlertEvaluation withVersion(AlertEvaluation row, long version) {
        if (version != row.version()) {
            throw new IllegalStateException("A line of history is never rewritten");
        }
        return row;
    }
}
