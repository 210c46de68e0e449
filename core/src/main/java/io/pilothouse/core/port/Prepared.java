package io.pilothouse.core.port;

/**
 * A change that is ready to be written: everything that it needs was read, checked and drawn outside of any
 * transaction. The write touches nothing but tables, so that the store may run it again.
 */
@FunctionalInterface
public interface Prepared<T> {
    T write(Tables tables);
}
