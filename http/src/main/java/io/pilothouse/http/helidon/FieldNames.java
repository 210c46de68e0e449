package io.pilothouse.http.helidon;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.pilothouse.http.wire.RequestField;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The request headers that are read here, as the HTTP server knows them. */
final class FieldNames {
    private static final Map<RequestField, HeaderName> NAMES = names();

    private FieldNames() {}

    private static Map<RequestField, HeaderName> names() {
        Map<RequestField, HeaderName> names = new EnumMap<>(RequestField.class);
        for (RequestField field : RequestField.values()) {
            names.put(field, HeaderNames.create(field.wireName()));
        }
        return Collections.unmodifiableMap(names);
    }

    static HeaderName of(RequestField field) {
        return Objects.requireNonNull(NAMES.get(field));
    }
}
