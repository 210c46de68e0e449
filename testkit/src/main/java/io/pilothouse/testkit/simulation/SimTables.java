package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.Belongings;
import io.pilothouse.core.port.Keeping;
import io.pilothouse.core.port.MetricPoints;
import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The tables of a write, which notes each kind of which it changes a row. */
record SimTables(Tables tables, SimWrite write) implements Tables {
    @Override
    public <T extends Stored> Table<T> of(Kind<T> kind) {
        return new SimTable<>(tables.of(kind), () -> write.touch(kind));
    }

    @Override
    public MetricPoints metricPoints() {
        return tables.metricPoints();
    }

    @Override
    public Optional<String> findVaultCheck() {
        return tables.findVaultCheck();
    }

    @Override
    public void keepVaultCheck(String check) {
        tables.keepVaultCheck(check);
    }

    @Override
    public Optional<String> findSecretCheck() {
        return tables.findSecretCheck();
    }

    @Override
    public void keepSecretCheck(String check) {
        tables.keepSecretCheck(check);
    }

    @Override
    public Optional<String> findSealed(SealedKey key) {
        return tables.findSealed(key);
    }

    @Override
    public void keepSealed(SealedKey key, String sealed) {
        tables.keepSealed(key, sealed);
    }

    @Override
    public Tasks tasks() {
        write.meetTasks();
        return new SimTasks(tables.tasks(), write);
    }

    @Override
    public Ports ports() {
        return tables.ports();
    }

    @Override
    public Belongings belongings() {
        return tables.belongings();
    }

    @Override
    public UUID newId(Instant now) {
        return tables.newId(now);
    }

    @Override
    public Optional<Keeping> findKeeping(UUID keyId, String idempotencyKey, Instant notBefore) {
        return tables.findKeeping(keyId, idempotencyKey, notBefore);
    }

    @Override
    public void keep(Keeping keeping) {
        tables.keep(keeping);
    }

    @Override
    public void forgetKeeping(UUID keyId, String idempotencyKey) {
        tables.forgetKeeping(keyId, idempotencyKey);
    }

    @Override
    public int forgetKeepings(Instant before, int limit) {
        return tables.forgetKeepings(before, limit);
    }

    @Override
    public void afterCommit(Runnable nudge) {
        tables.afterCommit(nudge);
    }
}
