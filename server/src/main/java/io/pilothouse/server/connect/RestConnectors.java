package io.pilothouse.server.connect;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.outgoing.OutgoingHttp.Limits;
import io.pilothouse.outgoing.OutgoingHttp.Reply;
import io.pilothouse.pipes.Connectors;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The REST interface of Kafka Connect, whose workers each know all connectors: the first of their addresses that answers
 * is asked. Safe for many threads.
 */
final class RestConnectors implements Connectors {
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(10), 1 << 20);
    private static final int MAX_SENTENCE = 300;
    private static final int NOT_FOUND = 404;
    /** The workers are sharing out the tasks and take no change meanwhile. */
    private static final int REBALANCING = 409;

    private static final int FIRST_ERROR = 300;
    private static final int FIRST_OF_THEIRS = 500;
    private static final byte[] NOTHING = {};
    private static final Set<String> STILL = Set.of("PAUSED", "STOPPED");

    private final OutgoingHttp http;
    private final List<String> workers;

    RestConnectors(OutgoingHttp http, List<String> workers) {
        this.http = http;
        this.workers = List.copyOf(workers);
    }

    @Override
    public void run(String name, Map<String, String> configuration) throws Away {
        byte[] body = JsonWriter.document(json -> {
            json.startObject();
            configuration.forEach(json::text);
            json.endObject();
        });
        done(send("PUT", name + "/config", body));
        // One that was stopped keeps still under another configuration too.
        resume(name);
    }

    @Override
    public Sight look(String name) throws Away {
        Reply reply = send("GET", name + "/status", NOTHING);
        if (reply.status() == NOT_FOUND) {
            return new Sight.Missing();
        }
        Tree.Members status = json(done(reply));
        Tree.Members connector = status.members("connector").orElse(Tree.Members.NONE);
        if (STILL.contains(connector.text("state").orElse(""))) {
            return new Sight.Still();
        }
        return Stream.concat(Stream.of(connector), status.objects("tasks").stream())
                .filter(part -> part.text("state").orElse("").equals("FAILED"))
                .findFirst()
                .<Sight>map(part -> new Sight.Failed(sentence(part.text("trace").orElse("no reason is given"))))
                .orElseGet(Sight.Running::new);
    }

    @Override
    public void restart(String name) throws Away {
        done(send("POST", name + "/restart?includeTasks=true&onlyFailed=true", NOTHING));
    }

    @Override
    public void resume(String name) throws Away {
        done(send("PUT", name + "/resume", NOTHING));
    }

    @Override
    public void stop(String name) throws Away {
        doneOrMissing(send("PUT", name + "/stop", NOTHING));
    }

    @Override
    public void delete(String name) throws Away {
        doneOrMissing(send("DELETE", name, NOTHING));
    }

    private void doneOrMissing(Reply reply) throws Away {
        if (reply.status() != NOT_FOUND) {
            done(reply);
        }
    }

    private Reply send(String method, String path, byte[] body) throws Away {
        String trouble = "";
        for (String worker : workers) {
            try {
                Reply reply = http.send(
                        method,
                        URI.create(worker + "/connectors/" + path),
                        Map.of("Content-Type", "application/json", "Accept", "application/json"),
                        body,
                        LIMITS);
                if (reply.status() < FIRST_OF_THEIRS) {
                    return reply;
                }
                trouble = "cannot run the connector: " + said(reply);
            } catch (IOException silence) {
                trouble = trouble.isEmpty() ? "does not answer: " + silence.getMessage() : trouble;
            }
        }
        throw new Away("Kafka Connect (" + String.join(", ", workers) + ") " + trouble);
    }

    private static Reply done(Reply reply) throws Away {
        if (reply.status() == REBALANCING) {
            throw new Away("Kafka Connect is sharing out its tasks: " + said(reply));
        }
        if (reply.status() >= FIRST_ERROR) {
            throw new Away("Kafka Connect refuses the connector: " + said(reply));
        }
        return reply;
    }

    private static String said(Reply reply) {
        String message = json(reply).text("message").orElse("");
        return message.isEmpty() ? "its answer is " + reply.status() : sentence(message);
    }

    private static String sentence(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > MAX_SENTENCE ? line.substring(0, MAX_SENTENCE) + "…" : line;
    }

    private static Tree.Members json(Reply reply) {
        try {
            return JsonReader.readObject(reply.bytes(), new Faults());
        } catch (Refused notJson) {
            return Tree.Members.NONE;
        }
    }
}
