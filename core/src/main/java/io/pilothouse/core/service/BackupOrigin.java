package io.pilothouse.core.service;

import java.util.UUID;

/** The backup that a service begins its life with, and the service it was made of, which may be deleted by then. */
public record BackupOrigin(UUID serviceId, UUID backupId) {}
