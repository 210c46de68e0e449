package io.pilothouse.core.service;

import io.pilothouse.core.port.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a list; it may be empty where a filter matched nothing. {@code next} is null at the end. */
public record ServicePage(List<ServiceView> views, Table.@Nullable Cursor next) {}
