package io.pilothouse.testkit.api;

import org.jspecify.annotations.Nullable;

/** One request and its answer, on their way to the judge. */
record ApiExchange(
        String method,
        String target,
        ApiCredentials credentials,
        @Nullable String requestType,
        @Nullable String requestBody,
        ApiAnswer answer) {

    /** The target without its query. */
    String path() {
        return path(target);
    }

    static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }

    boolean isReplay() {
        return answer.header("idempotency-replayed") != null;
    }

    ContractExchange toContract() {
        return new ContractExchange(
                method,
                target,
                requestType,
                requestBody,
                answer.status(),
                answer.header("content-type"),
                answer.text());
    }
}
