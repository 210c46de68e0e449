package io.pilothouse.pipes.worker.discovery;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.FoundFields;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.worker.files.FileSample;
import io.pilothouse.pipes.worker.formats.SchemaSample;
import io.pilothouse.pipes.worker.kafka.KafkaSample;
import io.pilothouse.pipes.worker.kinesis.KinesisSample;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Source;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which fields the records of a source have. A schema registry knows them; what has no schema is sampled, and the
 * database says which types it would give the sample. Where there is to be a pipe, the sample is tried against it.
 */
public final class Discovery implements Source {
    private static final String JSON = "JSONEachRow";
    private static final String RECORDS = "records";

    private final Link link;
    private final Assignment assignment;
    private final DatabaseTypes types;
    private final SampleTrial trial;
    private final Clock clock;

    public Discovery(Link link, Assignment assignment, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        Destination destination = new Destination(link, assignment.target());
        this.types = new DatabaseTypes(destination);
        this.trial = new SampleTrial(assignment, destination);
        this.clock = clock;
    }

    @Override
    public void run() throws InterruptedException {
        try {
            FoundFields found = look();
            if (found.fields().isEmpty()) {
                throw new Owner("Its records have no fields.");
            }
            link.ask(About.FIELDS, found.tree());
        } catch (Trouble trouble) {
            link.report(Condition.FAILED, trouble.sentence(), -1);
        }
    }

    private FoundFields look() throws Trouble, InterruptedException {
        return switch (assignment.kind()) {
            case "kafka" -> tried(new KafkaSample(link, assignment, clock).read());
            case "objectStorage" -> tried(FileSample.find(link, assignment, clock));
            case "kinesis" -> tried(new KinesisSample(link, assignment, clock).read());
            // Pipes read more than this looks at.
            default -> throw new Owner("No worker of this server looks at such a source yet.");
        };
    }

    private FoundFields tried(List<byte[]> messages) throws Trouble, InterruptedException {
        FoundFields found = messages(messages);
        trial.of(messages);
        return found;
    }

    private FoundFields tried(FileSample file) throws Trouble, InterruptedException {
        FoundFields found = file(file);
        trial.of(file);
        return found;
    }

    private FoundFields messages(List<byte[]> messages) throws Trouble, InterruptedException {
        if (messages.isEmpty()) {
            throw new Owner("There is no record in it yet, so nothing shows which fields there will be.");
        }
        Map<String, String> meta = Map.of(RECORDS, Integer.toString(messages.size()));
        return switch (assignment.source().text("format").orElse(JSON)) {
            case JSON -> objects(messages, Map.of());
            case "CSV" -> new FoundFields(types.ofLines(messages), meta);
            default -> {
                SchemaSample sample = new SchemaSample(assignment);
                sample.add(messages);
                yield new FoundFields(sample.fields(), meta);
            }
        };
    }

    private FoundFields file(FileSample file) throws Trouble, InterruptedException {
        Map<String, String> meta = Map.of("file", file.key());
        return file.format().equals(JSON)
                ? objects(types.lines(file.firstLines()), meta)
                : new FoundFields(types.of(file.table(), file.settings()), meta);
    }

    private FoundFields objects(List<byte[]> records, Map<String, String> more) throws Trouble, InterruptedException {
        JsonSample sample = new JsonSample();
        records.forEach(sample::add);
        if (sample.records() == 0) {
            throw new Owner("None of the " + records.size() + " records that were looked at is a JSON object.");
        }
        List<Field> fields = sample.fields(types.ofObjects(sample.lines()));
        Map<String, String> meta = new LinkedHashMap<>(more);
        meta.put(RECORDS, Integer.toString(sample.records()));
        return new FoundFields(fields, meta);
    }
}
