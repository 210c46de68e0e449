package io.pilothouse.core.privateendpoint;

/** The service's data for the other side of a private endpoint; stable for the service's life. */
public record PrivateEndpointConfig(String endpointServiceId, String privateDnsHostname) {}
