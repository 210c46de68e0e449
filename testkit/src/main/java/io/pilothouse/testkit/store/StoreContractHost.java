package io.pilothouse.testkit.store;

import static org.assertj.core.api.Assertions.assertThatObject;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import java.util.function.Function;
import org.assertj.core.api.ObjectAssert;

/** The holder of the store that a part of the contract tests. */
interface StoreContractHost {
    Store store();

    default <T> ObjectAssert<T> assertRead(Function<Tables, T> work) {
        return assertThatObject(store().read(work));
    }

    default <T> ObjectAssert<T> assertWrite(Function<Tables, T> work) {
        return assertThatObject(store().write(work));
    }
}
