package io.pilothouse.server.config;

import java.util.ArrayList;
import java.util.List;

/** Where pipes run: in workers of this machine, and those from Kafka in Kafka Connect if its workers are named. */
public record PipeHosts(List<String> connect) {
    private static final String CONNECT = "connect=";
    private static final PipeHosts HERE = new PipeHosts(List.of());

    public PipeHosts {
        connect = List.copyOf(connect);
    }

    static PipeHosts read(String text) throws BadValue {
        if (text.equals("workers")) {
            return HERE;
        }
        if (!text.startsWith(CONNECT)) {
            throw new BadValue("must be workers, or connect= and the REST addresses of Kafka Connect");
        }
        List<String> workers = new ArrayList<>();
        for (String worker : text.substring(CONNECT.length()).split(",", -1)) {
            workers.add(Values.url(worker.strip()));
        }
        return new PipeHosts(workers);
    }
}
