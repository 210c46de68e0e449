package io.pilothouse.pipes.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.PipeSample;
import io.pilothouse.testkit.ServiceSample;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When what went wrong with pipes is written into the database of their service. */
class PipeLogTest {
    private static final Service SERVICE = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private static final Pipe PIPE = PipeSample.running(
            UUID.randomUUID(), SERVICE.organizationId(), SERVICE.id(), PipeKind.KAFKA, Instant.EPOCH);

    private final List<String> asked = new ArrayList<>();
    private Optional<Service> service = Optional.of(SERVICE);
    private boolean runs;
    private Databases.Answer answer = new Databases.Answer.Text("");

    private final PipeLog log = new PipeLog(
            new Databases() {
                @Override
                public Optional<PipeLogin> pipeLogin(Service of) {
                    return runs ? Optional.of(new PipeLogin(URI.create("http://localhost"), "", "")) : Optional.empty();
                }

                @Override
                public Answer ask(UUID serviceId, String sql) {
                    asked.add(sql);
                    return answer;
                }

                @Override
                public Hold hold(UUID serviceId) {
                    throw new IllegalStateException("A log keeps nothing awake.");
                }
            },
            _ -> service);

    private List<String> written() throws PlaneFault {
        asked.clear();
        log.write(SERVICE.id());
        return List.copyOf(asked);
    }

    @Test
    void sentencesWaitForTheDatabaseAndAreWrittenOnce() throws PlaneFault {
        log.note(Instant.ofEpochMilli(1234), PIPE, "It's gone.");
        assertThat(written()).as("while it sleeps").isEmpty();
        runs = true;
        assertThat(written())
                .hasSize(3)
                .last()
                .asString()
                .contains("toInt64(1234)", PIPE.id().toString(), "'kafka'", "'It\\'s gone.'");
        assertThat(asked.get(1)).contains("INTERVAL 7 DAY");
        assertThat(written()).as("again").isEmpty();
    }

    @Test
    void theOldestGiveWayWhereManyWait() throws PlaneFault {
        for (int number = 0; number <= 100; number++) {
            log.note(Instant.EPOCH, PIPE, "Number " + number + ".");
        }
        runs = true;
        assertThat(written().getLast()).contains("'Number 1.'", "'Number 100.'").doesNotContain("'Number 0.'");
    }

    @Test
    void whatTheDatabaseRefusesIsNotTriedAgainAndASilentOneIs() throws PlaneFault {
        runs = true;
        log.note(Instant.EPOCH, PIPE, "First.");
        answer = new Databases.Answer.Silence("it is busy");
        assertThatThrownBy(this::written).isInstanceOf(PlaneFault.class);
        answer = new Databases.Answer.Refusal("there is a dictionary of that name");
        assertThat(written()).hasSize(1);
        assertThat(written()).isEmpty();
    }

    @Test
    void serviceThatIsGoneLeavesNothingToWrite() throws PlaneFault {
        log.note(Instant.EPOCH, PIPE, "First.");
        service = Optional.empty();
        assertThat(written()).isEmpty();
        service = Optional.of(SERVICE);
        runs = true;
        assertThat(written()).isEmpty();
    }
}
