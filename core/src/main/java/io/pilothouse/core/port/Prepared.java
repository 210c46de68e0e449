package io.pilothouse.core.port;

/**
 * A change that is ready to be written: all that had to be read, checked or drawn for it was, outside of any
 * transaction. What is left touches nothing but tables, so that the store may run it again.
 */
@FunctionalInterface
public interface Prepared<T> {
    T write(Tables tables);
}
