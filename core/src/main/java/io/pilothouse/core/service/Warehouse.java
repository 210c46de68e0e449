package io.pilothouse.core.service;

import java.util.UUID;

/** The warehouse a service is in; the service that opened it is its primary. */
public record Warehouse(UUID id, boolean primary, boolean readonly) {}
