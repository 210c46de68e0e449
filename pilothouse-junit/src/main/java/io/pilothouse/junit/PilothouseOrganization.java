package io.pilothouse.junit;

import io.pilothouse.core.base.Tree;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An organization that one test has for itself: no other test sees what is in it, and nothing of it is left after the
 * test. Its key is an admin's of that organization and of no other.
 */
public final class PilothouseOrganization implements AutoCloseable {
    private static final String ALL = "/_pilothouse/organizations";

    private final ServerAccess server;
    private final UUID id;
    private final Credential key;
    private final ReentrantLock tokenLock = new ReentrantLock();
    private @Nullable String token;

    private PilothouseOrganization(ServerAccess server, UUID id, Credential key) {
        this.server = server;
        this.id = id;
        this.key = key;
    }

    static PilothouseOrganization on(ServerAccess server) {
        Tree.Members made = asOperator(server).send("POST", ALL, "{}");
        Tree.Members key = ManagementApi.members(made, "key");
        return new PilothouseOrganization(
                server,
                UUID.fromString(ManagementApi.text(ManagementApi.members(made, "organization"), "id")),
                new Credential(ManagementApi.text(key, "keyId"), ManagementApi.text(key, "keySecret")));
    }

    private static ManagementApi asOperator(ServerAccess server) {
        return new ManagementApi(server.base(), server.operator());
    }

    /** Erases it with everything in it. The extension does that after the test. */
    @Override
    public void close() {
        asOperator(server).send("DELETE", ALL + "/" + id, null);
    }

    public UUID id() {
        return id;
    }

    /** The address of the management API, without a slash at the end: paths begin with {@code /v1}. */
    public URI baseUrl() {
        return server.base();
    }

    /** The address of this organization in the management API. */
    public URI url() {
        return server.base().resolve(path());
    }

    /** The address of the alerts interface. */
    public URI alertsUrl() {
        return server.alerts();
    }

    /** The address at which query endpoints take SQL. */
    public URI queryUrl() {
        return server.query();
    }

    public String keyId() {
        return key.keyId();
    }

    public String keySecret() {
        return key.keySecret();
    }

    /** What the header {@code Authorization} of a request to the management API has to say. */
    public String authorization() {
        return key.authorization();
    }

    /** A token for the alerts interface, made when it is first asked for. */
    public String alertsToken() {
        tokenLock.lock();
        try {
            String made = token;
            if (made == null) {
                made = ManagementApi.text(
                        api().send("POST", path() + "/alertsTokens", "{\"name\": \"Test\"}"), "accessToken");
                token = made;
            }
            return made;
        } finally {
            tokenLock.unlock();
        }
    }

    /** The variables by which Terraform's provider and ClickHouse's command line client find this organization. */
    public Map<String, String> environment() {
        return Map.of(
                "CLICKHOUSE_API_URL", server.base() + "/v1",
                "CLICKHOUSE_ORG_ID", id.toString(),
                "CLICKHOUSE_CLOUD_API_KEY", key.keyId(),
                "CLICKHOUSE_CLOUD_API_SECRET", key.keySecret());
    }

    ManagementApi api() {
        return new ManagementApi(server.base(), key);
    }

    String path() {
        return "/v1/organizations/" + id;
    }

    Optional<Path> authority() {
        return server.authority();
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "PilothouseOrganization[" + id + "]";
    }
}
