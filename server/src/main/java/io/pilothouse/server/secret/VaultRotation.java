package io.pilothouse.server.secret;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts every sealed text of the store under the vault's newest key, a few rows at a time. Broken off anywhere it may be
 * run again; only once it has come to its end may the older keys be deleted.
 */
public final class VaultRotation {
    private static final int PAGE = 100;

    private final Store store;
    private final Vault vault;
    private final List<Holder<?>> holders;

    /** {@code holders} are all the tables that keep sealed texts; one left out would never open again. */
    public VaultRotation(Store store, Vault vault, List<Holder<?>> holders) {
        this.store = store;
        this.vault = vault;
        this.holders = List.copyOf(holders);
    }

    /** A table that keeps sealed texts; {@code renew} gives a row with all of its own under the newest key. */
    public record Holder<T extends Stored>(Kind<T> kind, BiFunction<T, Vault, T> renew) {}

    /**
     * Throws {@link VaultFault} when the vault's keys are not those of the store: found by the check that the store
     * keeps or, in a store that is older than checks, by everything that is sealed in it.
     */
    public void requireFits() {
        Optional<String> check = store.read(Tables::findVaultCheck);
        if (check.isPresent()) {
            vault.requireFits(check.get());
        } else {
            openAll();
        }
    }

    /** Opens every sealed text, or throws {@link VaultFault}; says how many rows there are that may have one. */
    public int openAll() {
        int rows = 0;
        for (Holder<?> holder : holders) {
            rows += open(holder);
        }
        return rows;
    }

    /** Leaves a check in the store unless there is one. */
    public void keepCheck() {
        if (store.read(Tables::findVaultCheck).isEmpty()) {
            String check = vault.check();
            store.change(tables -> tables.keepVaultCheck(check));
        }
    }

    private <T extends Stored> int open(Holder<T> holder) {
        int rows = 0;
        List<T> page = page(holder, null);
        while (!page.isEmpty()) {
            page.forEach(row -> Objects.requireNonNull(holder.renew().apply(row, vault)));
            rows += page.size();
            page = page(holder, page.getLast().id());
        }
        return rows;
    }

    /** Says how many rows were resealed; {@code note} is written once all are. */
    public int run(Consumer<Tables> note) {
        int renewed = 0;
        for (Holder<?> holder : holders) {
            renewed += run(holder);
        }
        store.change(tables -> {
            tables.findVaultCheck().ifPresent(check -> tables.keepVaultCheck(vault.renewCheck(check)));
            note.accept(tables);
        });
        return renewed;
    }

    private <T extends Stored> int run(Holder<T> holder) {
        int renewed = 0;
        UUID last = null;
        List<T> page = page(holder, null);
        while (!page.isEmpty()) {
            List<T> rows = page;
            renewed += store.write(tables -> renew(holder, tables.of(holder.kind()), rows));
            last = page.getLast().id();
            page = page(holder, last);
        }
        return renewed;
    }

    private <T extends Stored> List<T> page(Holder<T> holder, @Nullable UUID after) {
        return store.read(tables -> tables.of(holder.kind()).all(after, PAGE));
    }

    private <T extends Stored> int renew(Holder<T> holder, Table<T> table, List<T> rows) {
        int renewed = 0;
        for (T row : rows) {
            // Read again: later writes must not be lost.
            T current = table.find(row.id()).orElse(null);
            T next = current == null ? null : holder.renew().apply(current, vault);
            if (current != null && next != null && !next.equals(current)) {
                renewed += table.replace(next, current.version()).isPresent() ? 1 : 0;
            }
        }
        return renewed;
    }
}
