package io.pilothouse.server.secret;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.SecretHash;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Which of the keys in {@code secret.key} a store goes by, and how it comes to go by a new one. The store changes in
 * one transaction, so it goes by the old keys or by all of them, and its check says which.
 */
public final class SecretKeys {
    private static final int PAGE = 500;
    private static final String CHECKED = "the check of secret.key";

    private final Store store;

    public SecretKeys(Store store) {
        this.store = store;
    }

    /** What a change did: how many hashes are under the newest key now, and how many of the keys are still of use. */
    public record Renewed(int hashes, int keysNeeded) {}

    /**
     * Those of these keys, the newest first, that the store goes by: a newer one in front is from a change that was
     * cut off. Empty when the keys are not those of the store.
     */
    public Optional<List<byte[]>> inUse(List<byte[]> keys) {
        Optional<String> check = store.read(Tables::findSecretCheck);
        if (check.isEmpty()) {
            // Before there were checks there was one key.
            return keys.size() == 1 ? Optional.of(keys) : Optional.empty();
        }
        for (int at = 0; at < keys.size(); at++) {
            List<byte[]> from = keys.subList(at, keys.size());
            if (check.get().equals(check(from))) {
                return Optional.of(from);
            }
        }
        return Optional.empty();
    }

    /** Lets the store know its keys, unless it does. */
    public void keepCheck(List<byte[]> keys) {
        if (store.read(Tables::findSecretCheck).isEmpty()) {
            store.change(tables -> tables.keepSecretCheck(check(keys)));
        }
    }

    private static String check(List<byte[]> keys) {
        return new SecretHash(keys).of(CHECKED);
    }

    /** Puts every hash under the first of these keys, which the store does not go by yet; {@code note} is written with it. */
    public Renewed renew(List<byte[]> keys, Consumer<Tables> note) {
        SecretHash hash = new SecretHash(keys);
        return store.write(tables -> {
            List<Renewed> all = List.of(
                    renew(
                            tables,
                            ApiKey.KIND,
                            key -> Optional.of(key.secretHash()),
                            (key, next) -> key.withSecretHash(next),
                            hash),
                    renew(
                            tables,
                            AlertsToken.KIND,
                            token -> Optional.of(token.tokenHash()),
                            (token, next) -> token.withTokenHash(next),
                            hash),
                    renew(tables, Item.KIND, MemberSignIn::hash, MemberSignIn::withHash, hash));
            tables.keepSecretCheck(check(keys));
            note.accept(tables);
            return new Renewed(
                    all.stream().mapToInt(Renewed::hashes).sum(),
                    all.stream().mapToInt(Renewed::keysNeeded).max().orElse(1));
        });
    }

    private static <T extends Stored> Renewed renew(
            Tables tables,
            Kind<T> kind,
            Function<T, Optional<String>> kept,
            BiFunction<T, String, T> with,
            SecretHash hash) {
        Table<T> table = tables.of(kind);
        int hashes = 0;
        int keysNeeded = 1;
        List<T> page = table.all(null, PAGE);
        while (!page.isEmpty()) {
            for (T row : page) {
                Optional<String> next = kept.apply(row).map(hash::renewed);
                if (next.isPresent()) {
                    table.overwrite(with.apply(row, next.get()));
                    keysNeeded = Math.max(keysNeeded, SecretHash.age(next.get()) + 1);
                    hashes++;
                }
            }
            page = table.all(page.getLast().id(), PAGE);
        }
        return new Renewed(hashes, keysNeeded);
    }
}
