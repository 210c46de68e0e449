package io.pilothouse.testkit.api;

import org.jspecify.annotations.Nullable;

/** One request and its answer as they went over the wire; the path may carry a query, a body that was not sent is null. */
public record ContractExchange(
        String method,
        String path,
        @Nullable String requestType,
        @Nullable String requestBody,
        int status,
        @Nullable String answerType,
        @Nullable String answerBody) {}
