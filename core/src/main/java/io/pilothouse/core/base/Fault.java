package io.pilothouse.core.base;

/** One thing that is wrong with a request: where (a dotted path, empty for the whole body) and why, for a person. */
public record Fault(String path, String message) {}
