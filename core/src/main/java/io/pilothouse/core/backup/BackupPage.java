package io.pilothouse.core.backup;

import io.pilothouse.core.port.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a service's backups, newest first; {@code next} is null at the end. */
public record BackupPage(List<BackupView> views, Table.@Nullable Cursor next) {}
