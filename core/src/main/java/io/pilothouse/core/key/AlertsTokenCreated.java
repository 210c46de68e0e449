package io.pilothouse.core.key;

/** A token just created, with its text for the one answer that shows it. */
public record AlertsTokenCreated(AlertsToken token, String accessToken) {
    @Override
    public String toString() {
        return "AlertsTokenCreated[" + token.id() + "]";
    }
}
