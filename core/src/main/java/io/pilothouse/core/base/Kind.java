package io.pilothouse.core.base;

/** One kind of thing that the store keeps: the name of its table, and the type of its rows. There is one constant for each. */
public record Kind<T extends Stored>(String table, Class<T> type) {}
