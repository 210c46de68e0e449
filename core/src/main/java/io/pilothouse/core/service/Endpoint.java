package io.pilothouse.core.service;

/** Where a client reaches a service over one protocol; stable for the service's life. */
public record Endpoint(String protocol, String host, int port, String username) {}
