package io.pilothouse.junit;

import io.pilothouse.core.base.Tree;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A ClickHouse that runs and takes connections of this machine, over TLS alone: a service of the test's organization.
 *
 * @param url where it speaks HTTP
 * @param nativePort where it speaks its native protocol, on the same host; the bundled ClickHouse does not
 * @param certificate the authority that its clients have to trust, a file in PEM
 */
public record RunningClickHouse(
        UUID serviceId, URI url, OptionalInt nativePort, String user, String password, Path certificate) {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    static RunningClickHouse in(PilothouseOrganization organization, Duration atMost) {
        Path certificate = organization
                .authority()
                .orElseThrow(() -> new PilothouseException("No database is behind the services of this server, as it"
                        + " simulates them: @Pilothouse(plane = Plane.LOCAL) asks for one that has some"));
        String services = organization.path() + "/services";
        Tree.Members made = organization.api().send("POST", services, """
                {"name": "Test", "ipAccessList": [{"source": "127.0.0.1"}, {"source": "::1"}]}""");
        String id = ManagementApi.text(ManagementApi.members(made, "service"), "id");
        Tree.Members service = running(organization, services + "/" + id, atMost);
        Endpoint https = Endpoint.find(service, "https")
                .orElseThrow(() -> new PilothouseException("The service has no endpoint for HTTP"));
        return new RunningClickHouse(
                UUID.fromString(id),
                URI.create("https://" + https.host() + ":" + https.port()),
                Endpoint.find(service, "nativesecure").stream()
                        .mapToInt(Endpoint::port)
                        .findFirst(),
                https.user(),
                ManagementApi.text(made, "password"),
                certificate);
    }

    private static Tree.Members running(PilothouseOrganization organization, String path, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            Tree.Members service = organization.api().send("GET", path, null);
            String state = ManagementApi.text(service, "state");
            if (state.equals("running")) {
                return service;
            }
            if (state.equals("failed") || System.nanoTime() > end) {
                throw new PilothouseException("The database does not run: its service is " + state);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PilothouseException("The wait for the database was cut short", e);
            }
        }
    }

    /** Where a service is reached by one protocol. */
    private record Endpoint(String host, int port, String user) {
        static Optional<Endpoint> find(Tree.Members service, String protocol) {
            return service.objects("endpoints").stream()
                    .filter(each -> each.text("protocol").equals(Optional.of(protocol)))
                    .map(each -> new Endpoint(
                            ManagementApi.text(each, "host"),
                            each.number("port").orElse(0.0).intValue(),
                            ManagementApi.text(each, "username")))
                    .findFirst();
        }
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "RunningClickHouse[" + url + "]";
    }
}
