package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.key.AlertsToken;

/** Tokens of the alerts interface as rows, found by the keyed hash of their text. */
final class AlertsTokenRows implements Rows<AlertsToken> {
    @Override
    public Kind<AlertsToken> kind() {
        return AlertsToken.KIND;
    }

    @Override
    public String reference(AlertsToken row) {
        return row.tokenHash();
    }

    @Override
    public void write(AlertsToken row, DocumentOut document) {
        document.text("name", row.name())
                .text("tokenSuffix", row.tokenSuffix())
                .text("tokenHash", row.tokenHash())
                .text("usedAt", row.usedAt());
    }

    @Override
    public AlertsToken read(Head head, DocumentIn document) {
        return new AlertsToken(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                head.version(),
                document.text("name", ""),
                document.text("tokenSuffix", ""),
                document.text("tokenHash", ""),
                document.instantOrNull("usedAt"));
    }

    @Override
    public AlertsToken withVersion(AlertsToken row, long version) {
        return new AlertsToken(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                version,
                row.name(),
                row.tokenSuffix(),
                row.tokenHash(),
                row.usedAt());
    }
}
