package io.pilothouse.core.query;

import io.pilothouse.core.base.WordRule;

/** What the callers of a query endpoint may do in its database. */
public enum QueryRole {
    READ_ONLY("sql_console_read_only"),
    ADMIN("sql_console_admin");

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), QueryRole::word);

    private final String word;

    QueryRole(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
