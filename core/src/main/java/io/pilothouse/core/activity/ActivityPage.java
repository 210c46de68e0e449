package io.pilothouse.core.activity;

import io.pilothouse.core.port.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a history, newest first; {@code next} is null at the end. */
public record ActivityPage(List<Activity> activities, Table.@Nullable Cursor next) {}
