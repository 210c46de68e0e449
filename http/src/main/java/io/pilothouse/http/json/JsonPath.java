package io.pilothouse.http.json;

import org.jspecify.annotations.Nullable;

/** A place in a document; its text is only built when there is a fault to report. */
public record JsonPath(@Nullable JsonPath parent, @Nullable String name, int index) {
    public static final JsonPath ROOT = new JsonPath(null, null, 0);

    JsonPath member(String member) {
        return new JsonPath(this, member, 0);
    }

    JsonPath item(int at) {
        return new JsonPath(this, null, at);
    }

    /** Such as {@code ipAccessList[2].source}; empty for the whole document. */
    String text() {
        if (parent == null) {
            return "";
        }
        String before = parent.text();
        if (name == null) {
            return before + "[" + index + "]";
        }
        return before.isEmpty() ? name : before + "." + name;
    }
}
