package io.pilothouse.core.base;

/** A wish to turn one protocol of a service on or off. */
public record EndpointSwitch(String protocol, boolean enabled) {}
