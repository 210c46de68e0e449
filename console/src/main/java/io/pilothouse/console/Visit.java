package io.pilothouse.console;

import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.incoming.CalledAddress;
import java.util.Optional;
import java.util.UUID;

/** One request for a page by somebody who is signed in, with the rights that the key has at this moment. */
record Visit(Exchange exchange, String token, Session session, Caller caller, ApiPlace place) {
    /** The last part of the path. */
    String last() {
        String path = exchange.path();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    Fields query() {
        return Fields.of(exchange.query());
    }

    /** The right that an operation asks for, or a refusal. */
    Permit permit(Permission permission) {
        return caller.permit(permission, caller.organizationId(), exchange.requestId())
                .sentBy(exchange.client());
    }

    /** The same for one service. */
    Permit permitOn(UUID serviceId, Permission permission) {
        return caller.permitOn(serviceId, permission, caller.organizationId(), exchange.requestId())
                .sentBy(exchange.client());
    }

    /** Where the API is for those who read this page, without a slash at the end. */
    String api() {
        return apiAddress()
                .map(called -> called.scheme() + "://" + called.authority())
                .orElse("http://127.0.0.1:8080");
    }

    Optional<CalledAddress> apiAddress() {
        return place.from(exchange.calledAddress());
    }

    /** The path in the API of what this key's organization has. */
    String organizationPath() {
        return "/v1/organizations/" + caller.organizationId();
    }

    @Override
    public String toString() {
        return "Visit[" + exchange.path() + " " + session + "]";
    }
}
