package io.pilothouse.core.quota;

import java.util.Optional;
import java.util.stream.Stream;

/** What can be limited for an organization, in the words that clients see. */
public enum Quota {
    SERVICES(
            "services-per-organization",
            "Services per organization",
            "How many services the organization may have. One that is being deleted counts until nothing is left of it.",
            "organization"),
    REPLICAS(
            "replicas-per-warehouse",
            "Replicas per warehouse",
            "How many replicas the services of one warehouse may have together, each at its largest size.",
            "warehouse");

    private final String code;
    private final String title;
    private final String description;
    private final String scope;

    Quota(String code, String title, String description, String scope) {
        this.code = code;
        this.title = title;
        this.description = description;
        this.scope = scope;
    }

    public static Optional<Quota> find(String code) {
        return Stream.of(values()).filter(quota -> quota.code.equals(code)).findFirst();
    }

    public String code() {
        return code;
    }

    public String title() {
        return title;
    }

    public String description() {
        return description;
    }

    public String scope() {
        return scope;
    }
}
