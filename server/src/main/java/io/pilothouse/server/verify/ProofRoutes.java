package io.pilothouse.server.verify;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.ProofRequests;
import io.pilothouse.core.base.Refused;
import io.pilothouse.http.api.BackupJson;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the admin address says of proofs of backups, of all services or one, and how one is asked for. */
public final class ProofRoutes {
    static final String PATH = "/proofs";
    private static final int ACCEPTED = 202;
    private static final Pattern QUERY =
            Pattern.compile("(after|service)=([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})");

    private final ProofRequests proofs;

    public ProofRoutes(ProofRequests proofs) {
        this.proofs = proofs;
    }

    public List<PublicRoute> routes() {
        return List.of(
                new PublicRoute("proofsGet", Verb.GET, PATH, this::show),
                new PublicRoute("proofsAsk", Verb.POST, PATH, this::ask));
    }

    private Answer show(Exchange exchange) {
        Optional<UUID> service = named(exchange, "service");
        List<ProofRequests.Newest> newest = service.isPresent()
                ? List.of(proofs.get(service.get()))
                : proofs.page(named(exchange, "after").orElse(null));
        return Answer.json(JsonWriter.document(out -> {
            out.startObject();
            out.list("proofs", newest, ProofRoutes::write);
            out.endObject();
        }));
    }

    private Answer ask(Exchange exchange) {
        UUID service = named(exchange, "service")
                .orElseThrow(() -> Refused.badRequest("service", "must be the id of a service"));
        return Answer.json(ACCEPTED, JsonWriter.document(out -> {
            out.startObject();
            out.time("askedAt", proofs.ask(service));
            out.endObject();
        }));
    }

    private static Optional<UUID> named(Exchange exchange, String name) {
        if (exchange.query().isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = QUERY.matcher(exchange.query());
        if (!matcher.matches()) {
            throw Refused.badRequest("", "takes service=ID, or after=ID for the services that come after it");
        }
        return matcher.group(1).equals(name) ? Optional.of(UUID.fromString(matcher.group(2))) : Optional.empty();
    }

    private static void write(JsonWriter out, ProofRequests.Newest newest) {
        out.startObject();
        out.id("serviceId", newest.serviceId());
        Backup backup = newest.backup();
        if (backup != null) {
            out.id("backupId", backup.id());
            out.time("finishedAt", backup.endedAt());
            if (backup.proof() != null) {
                BackupJson.writeProof(out, backup.proof());
            }
        }
        out.endObject();
    }
}
