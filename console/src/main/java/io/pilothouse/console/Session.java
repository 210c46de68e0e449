package io.pilothouse.console;

import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import java.time.Instant;
import java.util.UUID;

/**
 * Somebody who has signed in, with a key or as a {@code member}, whose id then is that of the membership. {@code formToken} is in every form of theirs, and no page of another origin
 * can know it.
 */
record Session(UUID keyId, boolean member, String formToken, Instant until) {
    /** Whose session it is, with the rights of this moment; refused like any other who may no longer sign in. */
    Caller proven(Credentials keys, MemberSignIn members, Client client) {
        return member ? members.proven(keyId) : keys.proven(keyId, client);
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "Session[" + keyId + "]";
    }
}
