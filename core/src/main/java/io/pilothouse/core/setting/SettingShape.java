package io.pilothouse.core.setting;

import org.jspecify.annotations.Nullable;

/** One setting that a database has: what it does, what it may be, what it is by default, and what to mind. */
public record SettingShape(
        String name,
        SettingValues values,
        String byDefault,
        String description,
        @Nullable String warning) {
    public boolean offered() {
        return !(values instanceof SettingValues.Fixed);
    }
}
