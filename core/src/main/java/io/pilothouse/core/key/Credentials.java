package io.pilothouse.core.key;

import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.IpBlock;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Rights;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller. Every cause of a refusal has the same words and costs the same, so that they cannot be
 * distinguished; only the organization of the key learns it.
 */
public final class Credentials {
    private static final Duration USE_PRECISION = Duration.ofMinutes(1);
    private static final Set<Permission> ALERTS = EnumSet.of(Permission.ALERT_READ, Permission.ALERT_WRITE);

    private final Store store;
    private final Clock clock;
    private final SecretHash hash;
    private final Roles roles;
    private final FailedLogins failedLogins;
    private final String nobodysHash;
    private final ConcurrentHashMap<UUID, Instant> lastNoted = new ConcurrentHashMap<>();
    private final AtomicReference<Instant> forgotten = new AtomicReference<>(Instant.EPOCH);

    public Credentials(Store store, Clock clock, SecretHash hash, Roles roles, FailedLogins failedLogins) {
        this.store = store;
        this.clock = clock;
        this.hash = hash;
        this.roles = roles;
        this.failedLogins = failedLogins;
        this.nobodysHash = hash.of("nobody");
    }

    /** A key and what its roles allow, both of one moment. */
    private record Found(ApiKey key, Rights rights) {}

    /** The holder of a key of the management API. */
    public Caller basic(String keyId, String keySecret, Client client) {
        String reference = ApiKeyMaker.reference(keyId);
        Optional<Found> found = store.read(tables -> tables.of(ApiKey.KIND)
                .findByReference(reference)
                .map(key -> new Found(key, roles.rights(tables, key.organizationId(), key.roles()))));
        boolean proven = hash.matches(
                keySecret, found.map(known -> known.key().secretHash()).orElse(nobodysHash));
        if (found.isEmpty()) {
            throw refusal();
        }
        ApiKey key = found.get().key();
        Optional<Refusal.Cause> cause =
                proven ? obstacle(key, client.address()) : Optional.of(Refusal.Cause.WRONG_SECRET);
        if (cause.isPresent()) {
            failedLogins.failed(key, cause.get(), client);
            throw refusal();
        }
        noteUse(
                key.id(),
                lastUse(key.usedAt(), key.secretHash()),
                tables -> tables.of(ApiKey.KIND)
                        .find(key.id())
                        .ifPresent(now -> tables.of(ApiKey.KIND)
                                .replace(now.used(clock.now(), hash.of(keySecret)), now.version())));
        return new Caller(
                key.organizationId(), key.id(), key.name(), found.get().rights());
    }

    /**
     * The holder of a key that was proven before, with the rights that it has by now; refused like any other if it may
     * no longer be used.
     */
    public Caller proven(UUID keyId, Client client) {
        Found found = store.read(tables -> tables.of(ApiKey.KIND)
                        .find(keyId)
                        .map(key -> new Found(key, roles.rights(tables, key.organizationId(), key.roles()))))
                .orElseThrow(Credentials::refusal);
        ApiKey key = found.key();
        if (obstacle(key, client.address()).isPresent()) {
            throw refusal();
        }
        return new Caller(key.organizationId(), key.id(), key.name(), found.rights());
    }

    /** The holder of a token of the alerts interface. */
    public Caller bearer(String token) {
        List<String> references = hash.forms(token);
        AlertsToken found = store.read(tables -> references.stream()
                        .flatMap(reference -> tables.of(AlertsToken.KIND).findByReference(reference).stream())
                        .findFirst())
                .orElseThrow(Credentials::refusal);
        noteUse(
                found.id(),
                lastUse(found.usedAt(), found.tokenHash()),
                tables -> tables.of(AlertsToken.KIND)
                        .find(found.id())
                        .ifPresent(now -> tables.of(AlertsToken.KIND)
                                .replace(now.used(clock.now(), hash.of(token)), now.version())));
        return new Caller(found.organizationId(), found.id(), found.name(), ALERTS);
    }

    private Optional<Refusal.Cause> obstacle(ApiKey key, InetAddress from) {
        Instant expireAt = key.expireAt();
        if (!key.enabled()) {
            return Optional.of(Refusal.Cause.DISABLED);
        }
        if (expireAt != null && !clock.now().isBefore(expireAt)) {
            return Optional.of(Refusal.Cause.EXPIRED);
        }
        boolean let =
                key.ipAccessList().isEmpty() || key.ipAccessList().stream().anyMatch(entry -> lets(entry, from));
        return let ? Optional.empty() : Optional.of(Refusal.Cause.ADDRESS);
    }

    private static boolean lets(IpAccessEntry entry, InetAddress from) {
        return IpBlock.parse(entry.source())
                .filter(block -> block.contains(from))
                .isPresent();
    }

    /** A hash from before the newest pepper is renewed at the first use, however soon that comes after another one. */
    private static @Nullable Instant lastUse(@Nullable Instant usedAt, String hash) {
        return SecretHash.age(hash) == 0 ? usedAt : null;
    }

    /** Records when a key was used, once a minute at most; a failure to record it is no reason to refuse. */
    private void noteUse(UUID id, @Nullable Instant usedAt, Consumer<Tables> note) {
        Instant now = clock.now();
        Instant first = usedAt == null ? Instant.EPOCH : usedAt;
        Instant known = lastNoted.putIfAbsent(id, first);
        Instant before = known == null ? first : known;
        // Of many requests at once, the one that wins the replacement writes.
        if (now.isBefore(before.plus(USE_PRECISION)) || !lastNoted.replace(id, before, now)) {
            return;
        }
        forgetOldUses(now);
        try {
            store.change(note);
        } catch (StoreUnavailable unavailable) {
            lastNoted.put(id, before);
        }
    }

    /** The row knows by now what is older than the precision; keys that are used no more must not stay in memory. */
    private void forgetOldUses(Instant now) {
        Instant old = now.minus(USE_PRECISION);
        Instant before = forgotten.get();
        if (before.isBefore(old) && forgotten.compareAndSet(before, now)) {
            lastNoted.values().removeIf(noted -> noted.isBefore(old));
        }
    }

    /** In the same words whatever the cause. */
    public static Refused refusal() {
        return new Refused(Refused.Reason.UNAUTHORIZED, "Unknown, disabled or expired credentials");
    }
}
