package io.pilothouse.console.query;

import io.pilothouse.core.base.FieldChange;
import java.util.regex.Pattern;

/** Whether a text may hold a secret: by a word that names one, or by what takes one without any name. */
public final class SecretText {
    private static final Pattern WORD = Pattern.compile(
            "password|passwd|identified|secret|credential|token|authorization|headers\\s*\\(|(?:access|account|private)_?key"
                    + "|connection_?string",
            Pattern.CASE_INSENSITIVE);
    /** Functions and engines of ClickHouse that take a secret by its place, as in {@code s3(url, id, secret)}. */
    private static final Pattern CALL = Pattern.compile(
            "\\b(?:s3|gcs|cosn|oss|azure|deltalake|iceberg|hudi|paimon|(?:materialized)?(?:mysql|postgresql)|mongodb|redis"
                    + "|remote|externaldistributed|jdbc|odbc|ytsaurus|hmac|\\w*crypt)\\w*+\\s*+\\(",
            Pattern.CASE_INSENSITIVE);

    private SecretText() {}

    public static boolean mayBeIn(String text) {
        return WORD.matcher(text).find() || CALL.matcher(text).find() || FieldChange.hasLogin(text);
    }
}
