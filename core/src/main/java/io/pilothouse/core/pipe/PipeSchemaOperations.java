package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Says which fields the records of a source have, and whether a pipe would fit them and its table, before there is one. */
public final class PipeSchemaOperations {
    /** As much of an address as fits into a sentence. */
    private static final int SHOWN = 200;

    private final Store store;
    private final RuleBook rules;
    private final PipeSchemaReader reader;

    public PipeSchemaOperations(Store store, RuleBook rules, PipeSchemaReader reader) {
        this.store = store;
        this.rules = rules;
        this.reader = reader;
    }

    /** Nothing is kept: the reader is asked once the store was. */
    public PipeSchemaReader.Schema discover(
            Permit permit, UUID serviceId, Tree.@Nullable Members given, Faults faults) {
        Optional<PipeDesign.Source> found =
                new PipeDesign(rules, faults).source(given == null ? Tree.Members.NONE : given);
        found.map(PipeDesign.Source::kind)
                .filter(PipeKind::database)
                .ifPresent(kind -> faults.add(
                        "source." + kind.member(), "is a database, whose tables say themselves what is in them"));
        faults.refuseIfAny();
        PipeDesign.Source source = found.orElseThrow();
        Service service = store.read(tables -> {
            Service asked = ServiceOperations.get(tables, permit, serviceId);
            ServiceOperations.requireRunning(asked);
            ReversePrivateEndpointOperations.requireReady(
                    tables, serviceId, source.kind(), Pipe.reversePrivateEndpointIds(source.open()));
            return asked;
        });
        try {
            return reader.read(service, source);
        } catch (PipeSchemaReader.Unreadable unreadable) {
            throw new Refused(
                    Refused.Reason.FAILED_DEPENDENCY,
                    "The schema of " + place(source) + " could not be discovered. " + unreadable.sentence());
        }
    }

    /**
     * Refuses a pipe that its table does not fit and, if asked for samples, one whose source has records that do not
     * fit its columns. The tables of a database say both themselves.
     */
    void check(Permit permit, UUID serviceId, PipeDesign.Designed wanted, boolean samples) {
        Pipe pipe = wanted.pipe();
        if (pipe.database()) {
            return;
        }
        Service service = store.read(tables -> {
            Service asked = ServiceOperations.get(tables, permit, serviceId);
            ServiceOperations.requireRunning(asked);
            ReversePrivateEndpointOperations.requireReady(
                    tables, serviceId, pipe.kind(), pipe.reversePrivateEndpointIds());
            return asked;
        });
        requireTable(service, pipe);
        if (samples) {
            requireRecords(service, wanted);
        }
    }

    private void requireTable(Service service, Pipe pipe) {
        try {
            reader.checkTable(service, pipe);
        } catch (PipeSchemaReader.Unreadable unfit) {
            throw Refused.badRequest("destination", "does not fit. " + unfit.sentence());
        }
    }

    private void requireRecords(Service service, PipeDesign.Designed wanted) {
        Pipe pipe = wanted.pipe();
        try {
            reader.check(service, wanted);
        } catch (PipeSchemaReader.Unreadable unreadable) {
            PipeDesign.Source source = new PipeDesign.Source(pipe.kind(), pipe.source(), wanted.secrets());
            throw Refused.badRequest(
                    "source.validateSamples", place(source) + " does not pass. " + unreadable.sentence());
        }
    }

    private static String place(PipeDesign.Source source) {
        String field = switch (source.kind()) {
            case KAFKA -> "brokers";
            case KINESIS -> "streamName";
            case PUBSUB -> "topic";
            case OBJECT_STORAGE -> source.open().has("url") ? "url" : "azureContainerName";
            case POSTGRES, MYSQL, MONGODB, BIGQUERY -> "host";
        };
        // An address may hold a login before its host, or a signature after its path.
        String text = source.open()
                .text(field)
                .orElse("")
                .replaceFirst("//[^/@]*@", "//")
                .replaceFirst("\\?.*", "");
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return source.kind().title() + " (" + shown + ")";
    }
}
