package io.pilothouse.core.service;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.time.Instant;
import java.util.List;

/** Follows the life of services, in the same transactions, for things that belong to them. */
public interface ServiceFollower {
    /** A request makes the service, which is not in the store yet: what has no room for it refuses here. */
    default void made(Tables tables, Service service) {}

    /** A request is about to give the service another size: what has no room for it refuses here. */
    default void sized(Tables tables, Service before, Service after) {}

    /** An update has changed the service; scaling and the password have requests of their own. */
    default void updated(Tables tables, Permit permit, Service before, Service after) {}

    /** The end of the service was asked for. */
    default void deleted(Tables tables, Service service, Instant now) {}

    /** The service has come to run. */
    default void running(Tables tables, Service service, Instant now) {}

    /** What was seen of the service or the size that it is to have is another one now. */
    default void changed(Tables tables, Service before, Service after, Instant now) {}

    /** A look has shown how much the service has on disk. */
    default void stored(Tables tables, Service service, long bytes, Instant now) {}

    /** Nothing is left of the service, and its row is about to be deleted. */
    default void removed(Tables tables, Service service, Instant now) {}

    /** Whether the service must not be put to sleep now. */
    default boolean keepsAwake(Tables tables, Service service) {
        return false;
    }

    /** Follows nothing. */
    ServiceFollower NONE = new ServiceFollower() {};

    /** All of these as one. */
    static ServiceFollower all(List<ServiceFollower> followers) {
        return new ServiceFollower() {
            @Override
            public void made(Tables tables, Service service) {
                followers.forEach(each -> each.made(tables, service));
            }

            @Override
            public void sized(Tables tables, Service before, Service after) {
                followers.forEach(each -> each.sized(tables, before, after));
            }

            @Override
            public void updated(Tables tables, Permit permit, Service before, Service after) {
                followers.forEach(each -> each.updated(tables, permit, before, after));
            }

            @Override
            public void deleted(Tables tables, Service service, Instant now) {
                followers.forEach(each -> each.deleted(tables, service, now));
            }

            @Override
            public void running(Tables tables, Service service, Instant now) {
                followers.forEach(each -> each.running(tables, service, now));
            }

            @Override
            public void changed(Tables tables, Service before, Service after, Instant now) {
                followers.forEach(each -> each.changed(tables, before, after, now));
            }

            @Override
            public void stored(Tables tables, Service service, long bytes, Instant now) {
                followers.forEach(each -> each.stored(tables, service, bytes, now));
            }

            @Override
            public void removed(Tables tables, Service service, Instant now) {
                followers.forEach(each -> each.removed(tables, service, now));
            }

            @Override
            public boolean keepsAwake(Tables tables, Service service) {
                return followers.stream().anyMatch(each -> each.keepsAwake(tables, service));
            }
        };
    }
}
