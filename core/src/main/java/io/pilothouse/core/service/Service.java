package io.pilothouse.core.service;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.MetricLabel;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A database service: what is wanted of it (written by requests) and what was last seen of it (written by the engine).
 */
public record Service(
        Head head,
        Fixed fixed,
        Details details,
        Scaling scaling,
        Access access,
        PasswordHashes password,
        BackupConfiguration backups,
        Want want,
        Seen seen)
        implements Stored {
    /** Reference: the warehouse id. */
    public static final Kind<Service> KIND = new Kind<>("services", Service.class);

    /**
     * The properties of a service that are fixed for life; the origin is the backup whose data it begins with, if any,
     * and the host the machine that has its data, where several have some.
     */
    public record Fixed(
            Placement placement,
            Warehouse warehouse,
            @Nullable BackupOrigin origin,
            @Nullable Host host) {
        public Fixed(Placement placement, Warehouse warehouse, @Nullable BackupOrigin origin) {
            this(placement, warehouse, origin, null);
        }
    }

    /**
     * One machine of several, and what clients reach its services at: a host name or, where they share ports, a domain.
     * While the service leaves it for another one, {@code departure} is how far it has come.
     */
    public record Host(UUID id, String address, @Nullable Departure departure) {
        public Host(UUID id, String address) {
            this(id, address, null);
        }
    }

    /** The stage of a service that leaves its host, since a moment; {@code backupId} is the backup that it goes with. */
    public record Departure(
            Stage stage, Instant since, @Nullable UUID backupId) {
        /** What happens on the host that it leaves, in this order. */
        public enum Stage {
            /** Nobody is let in any more, and its pipes come to rest. */
            CLOSING,
            /** Its database stops, so that nothing writes into it any more. */
            STOPPING,
            /** Its database runs for its last backup alone. */
            COPYING,
            /** That backup is there, and its database stops for good. */
            LEAVING
        }
    }

    /** The properties that an update may change at once; {@code fields} are those of {@link ServiceFields}. */
    public record Details(
            String name, Encryption encryption, String releaseChannel, List<Tag> tags, Tree.Members fields) {
        public Details {
            tags = List.copyOf(tags);
        }
    }

    /**
     * The wish, and when it last changed; {@code awaking} says that RUN follows sleep. While an entry of the service's
     * schedule holds, {@code scheduled} is the scaling that it asks for. {@code schedule} is there for clients to see.
     * {@code settings} are in the order of their names; {@code pin} is null until the first round over its version.
     */
    public record Want(
            Wish wish,
            Instant since,
            boolean awaking,
            @Nullable Scaling scheduled,
            @Nullable Schedule schedule,
            List<Setting> settings,
            @Nullable Pin pin) {
        public Want {
            settings = List.copyOf(settings);
        }

        public static Want run(Instant now) {
            return new Want(Wish.RUN, now, false, null, null, List.of(), null);
        }
    }

    /** A schedule as the engine last took it: its fields, and the place of the entry that held then; -1 for none. */
    public record Schedule(Tree.Members fields, int active) {}

    /**
     * One setting of ClickHouse that is wanted; {@code byDefault} is what it is where nobody asks, which the program's
     * own users keep.
     */
    public record Setting(String name, String value, String byDefault) {}

    /**
     * The version of ClickHouse that it runs on, by the name under which the plane offers it, since a moment. While
     * {@code before} is there, it has not been seen to run on that version; {@code refused} is one that it did not come
     * up on.
     */
    public record Pin(
            String version,
            @Nullable String before,
            Instant since,
            @Nullable String refused) {
        public static Pin on(String version, Instant now) {
            return new Pin(version, null, now, null);
        }

        public Pin to(String next, Instant now) {
            return new Pin(next, version, now, refused);
        }

        /** Where it came from, for good. */
        public Pin backTo(String earlier, Instant now) {
            return new Pin(earlier, null, now, version);
        }

        /** It does not come up, and there is no way back: the others are warned. */
        public Pin stuck(Instant now) {
            return new Pin(version, null, now, version);
        }

        public Pin settled() {
            return new Pin(version, null, since, refused);
        }

        public boolean isTried() {
            return before != null;
        }
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    public String name() {
        return details.name();
    }

    public Placement placement() {
        return fixed.placement();
    }

    public Warehouse warehouse() {
        return fixed.warehouse();
    }

    public Wish wish() {
        return want.wish();
    }

    public boolean enableCoreDumps() {
        return ServiceFields.enableCoreDumps(details.fields());
    }

    /** The scaling in force: the schedule's while one of its entries holds, otherwise the service's own. */
    public Scaling scalingNow() {
        return want.scheduled() == null ? scaling : want.scheduled();
    }

    public ServiceState state() {
        return isMoving() ? ServiceState.ofMoving(want.wish()) : ServiceState.of(want.wish(), want.awaking(), seen);
    }

    /** What the engine works towards: the wish, but for a service that moves to another host. */
    public Wish wishNow() {
        Departure departure = departure();
        if (want.wish() == Wish.DELETE) {
            return Wish.DELETE;
        }
        if (departure == null) {
            return isArriving() ? Wish.RUN : want.wish();
        }
        return switch (departure.stage()) {
            case CLOSING -> want.wish();
            case STOPPING, LEAVING -> Wish.STOP;
            case COPYING -> Wish.RUN;
        };
    }

    /** How far it is that it leaves its host; null while it stays. */
    public @Nullable Departure departure() {
        return fixed.host() == null ? null : fixed.host().departure();
    }

    /** Whether its data, which another host had, is still to be restored on this one. */
    public boolean isArriving() {
        boolean ownData = Optional.ofNullable(fixed.origin())
                .map(BackupOrigin::serviceId)
                .filter(id()::equals)
                .isPresent();
        return ownData && isRestoring();
    }

    /** Whether nobody is let in because it leaves its host for another, or has not arrived there yet. */
    public boolean isMoving() {
        return want.wish() != Wish.DELETE
                && seen.condition() != Condition.LOST
                && (departure() != null || isArriving());
    }

    /** Whether it still has to take over the backup that it begins with. */
    public boolean isRestoring() {
        return fixed.origin() != null && want.wish() != Wish.DELETE && !seen.everRan();
    }

    /** The role that stands for this service towards other systems: derived, so it never changes. */
    public String iamRole() {
        return iamRole(organizationId(), id());
    }

    public static String iamRole(UUID organizationId, UUID serviceId) {
        return "pilothouse:" + organizationId + ":service/" + serviceId;
    }

    /** The role for disk encryption, there once the service has transparent encryption; derived as well. */
    public @Nullable String encryptionRoleId() {
        return details.encryption().transparent() ? iamRole() + "/encryption" : null;
    }

    /** The key of transparent encryption that is in use: one of the platform's until a client brings another. */
    public @Nullable String transparentDataEncryptionKeyId() {
        Encryption encryption = details.encryption();
        return encryption.transparentKeyId() == null && encryption.transparent()
                ? iamRole() + "/platform-key"
                : encryption.transparentKeyId();
    }

    public MetricLabel label() {
        return new MetricLabel(organizationId(), state().word(), seen.trouble() != null);
    }

    /** The host that alone works on it; null where any process may. */
    public @Nullable UUID hostId() {
        return Optional.ofNullable(fixed.host()).map(Host::id).orElse(null);
    }

    /** Whether this later row is on the same host, and began with the same data. */
    boolean isWhereItWas(Service later) {
        return Objects.equals(hostId(), later.hostId())
                && Objects.equals(fixed.origin(), later.fixed().origin());
    }

    /** Leaves it to this host. */
    public Service withHost(@Nullable Host next) {
        Fixed there = new Fixed(fixed.placement(), fixed.warehouse(), fixed.origin(), next);
        return new Service(head, there, details, scaling, access, password, backups, want, seen);
    }

    /** Leaves its host, or goes on with that, or stays after all. */
    public Service withDeparture(@Nullable Departure next) {
        Host host = fixed.host();
        Service there = host == null ? this : withHost(new Host(host.id(), host.address(), next));
        return there.withSeen(seen.withTrouble(next == null ? null : Seen.LEAVES));
    }

    /** It begins on this host with the backup that it left the other with. */
    public Service arrivingAt(Host next, UUID backupId, Instant now) {
        BackupOrigin origin = new BackupOrigin(id(), backupId);
        Fixed there = new Fixed(fixed.placement(), fixed.warehouse(), origin, next);
        Seen nothing = Seen.nothingYet(now).withTrouble(Seen.ARRIVES);
        return new Service(head, there, details, scaling, access, password, backups, want, nothing);
    }

    public Service withSeen(Seen next) {
        return new Service(head, fixed, details, scaling, access, password, backups, want, next);
    }

    /**
     * Changes the wish; waking from sleep is remembered, because clients distinguish it from a first start. A complaint
     * was about the old wish.
     */
    public Service withWish(Wish next, Instant now) {
        boolean awaking = next == Wish.RUN && want.wish() == Wish.SLEEP;
        Want other = new Want(next, now, awaking, want.scheduled(), want.schedule(), want.settings(), want.pin());
        Seen unblamed = seen.withTrouble(null);
        return new Service(head, fixed, details, scaling, access, password, backups, other, unblamed);
    }

    public Service withAccess(Access next) {
        return new Service(head, fixed, details, scaling, next, password, backups, want, seen);
    }

    public Service withPassword(PasswordHashes next) {
        return new Service(head, fixed, details, scaling, access, next, backups, want, seen);
    }

    public Service withScaling(Scaling next) {
        return new Service(head, fixed, details, next, access, password, backups, want, seen);
    }

    public Service withScheduled(@Nullable Scaling next) {
        Want other =
                new Want(want.wish(), want.since(), want.awaking(), next, want.schedule(), want.settings(), want.pin());
        return new Service(head, fixed, details, scaling, access, password, backups, other, seen);
    }

    public Service withSchedule(@Nullable Schedule next) {
        Want other = new Want(
                want.wish(), want.since(), want.awaking(), want.scheduled(), next, want.settings(), want.pin());
        return new Service(head, fixed, details, scaling, access, password, backups, other, seen);
    }

    public Service withSettings(List<Setting> next) {
        Want other = new Want(
                want.wish(), want.since(), want.awaking(), want.scheduled(), want.schedule(), next, want.pin());
        return new Service(head, fixed, details, scaling, access, password, backups, other, seen);
    }

    public Service withPin(@Nullable Pin next) {
        Want other = new Want(
                want.wish(), want.since(), want.awaking(), want.scheduled(), want.schedule(), want.settings(), next);
        return new Service(head, fixed, details, scaling, access, password, backups, other, seen);
    }

    /** It was seen to run as {@code looked} wanted it. */
    Service settledAs(Service looked) {
        Pin pin = want.pin();
        return pin != null && pin.isTried() && pin.equals(looked.want.pin()) ? withPin(pin.settled()) : this;
    }

    public Service withBackups(BackupConfiguration next) {
        return new Service(head, fixed, details, scaling, access, password, next, want, seen);
    }

    public Service withDetails(Details next) {
        return new Service(head, fixed, next, scaling, access, password, backups, want, seen);
    }
}
