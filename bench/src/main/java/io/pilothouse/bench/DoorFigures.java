package io.pilothouse.bench;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * What the front door lets through, as a share of what the same server answers without it: each round measures both,
 * one after the other. The load is wrk over TLS 1.3; server, gateway and load share the processors.
 */
final class DoorFigures {
    private static final int CLIENTS = 64;
    private static final int VISITORS = 16;
    private static final int STREAMS = 2;
    private static final double MEGABYTES = DoorServer.STREAM_BYTES / 1e6;
    private static final List<String> NO_TICKETS = List.of("-Djdk.tls.server.newSessionTicketCount=0");

    private static final String QUERY = """
            wrk.method = 'POST'
            wrk.body = 'SELECT 1'
            wrk.headers['X-ClickHouse-User'] = 'default'
            wrk.headers['X-ClickHouse-Key'] = 'secret'
            """;
    private static final String QUERY_AND_LEAVE = QUERY + "wrk.headers['Connection'] = 'close'\n";
    private static final String DOWNLOAD = "wrk.path = '/download'\n";
    private static final String UPLOAD =
            "wrk.method = 'POST'\nwrk.body = string.rep('x', " + DoorServer.STREAM_BYTES + ")\n";

    private final Machine machine;
    private final Report report;
    private final Scale scale;

    DoorFigures(Machine machine, Report report, Scale scale) {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
    }

    /** One kind of load, with the name of its figure, and how much of a unit one request is. */
    private record Kind(String what, String script, int connections, double amount, String unit) {}

    void run() throws IOException, InterruptedException {
        try (Child server = Child.start(machine, List.of(), DoorServer.class, List.of());
                Child gateway = gateway(server, List.of());
                Child forgetful = gateway(server, NO_TICKETS)) {
            URI secured = gateway.address();
            URI plain = URI.create("http://" + secured.getAuthority());
            Kind queries = new Kind("queries on kept connections", QUERY, CLIENTS, 1, "/s");
            Kind visits = new Kind("new connections with one query each", QUERY_AND_LEAVE, VISITORS, 1, "/s");
            Kind down = new Kind("downloads, two at once", DOWNLOAD, STREAMS, MEGABYTES, "MB/s");
            Kind up = new Kind("uploads, two at once", UPLOAD, STREAMS, MEGABYTES, "MB/s");
            for (Kind kind : List.of(queries, visits, down, up)) {
                measure(kind, server.address(), plain, "plain HTTP");
            }
            measure(queries, server.address(), secured, "TLS");
            measure(visits, server.address(), secured, "TLS, of clients that were here before");
            measure(visits, server.address(), forgetful.address(), "TLS, a whole handshake each");
            measure(down, server.address(), secured, "TLS");
            measure(up, server.address(), secured, "TLS");
        }
    }

    private Child gateway(Child server, List<String> flags) throws IOException {
        return Child.start(
                machine,
                flags,
                DoorGateway.class,
                List.of(
                        machine.newFolder("door").toString(),
                        Integer.toString(server.address().getPort())));
    }

    private void measure(Kind kind, URI direct, URI door, String way) throws IOException, InterruptedException {
        List<Double> figures = new ArrayList<>();
        List<Double> limits = new ArrayList<>();
        load(kind, door);
        for (int round = 0; round < scale.rounds(); round++) {
            limits.add(load(kind, direct));
            figures.add(load(kind, door));
        }
        report.beside(kind.what() + "; " + way, figures, limits, kind.unit());
    }

    private double load(Kind kind, URI server) throws IOException, InterruptedException {
        return Wrk.run(machine, kind.script(), server, kind.connections(), scale.span()) * kind.amount();
    }
}
