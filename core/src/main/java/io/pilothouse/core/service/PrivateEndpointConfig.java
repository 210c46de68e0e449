package io.pilothouse.core.service;

/** What the other side of a private endpoint needs to know of a service; stable for the service's life. */
public record PrivateEndpointConfig(String endpointServiceId, String privateDnsHostname) {}
