package io.pilothouse.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** How fast requests are answered, beside the best that the same machine can do. */
final class RequestFigures {
    private static final int READERS = 32;
    private static final int MIXED_PER_SECOND = 2000;
    private static final int SAMPLED = 1000;
    /** Rounds before the measured ones, until the compiler has done its work. */
    private static final int WARM_UP = 3;

    private static final int LISTS_TO_WARM_UP = 20;

    private final Machine machine;
    private final Report report;
    private final Load load;
    private final Scale scale;

    RequestFigures(Machine machine, Report report, Load load, Scale scale) {
        this.machine = machine;
        this.report = report;
        this.load = load;
        this.scale = scale;
    }

    /** A data folder with this many services in it, and the paths of some of them. */
    record Ground(Path data, List<String> paths) {}

    Ground ground(int services) throws IOException, InterruptedException {
        Path data = machine.newFolder("fleet").resolve("data");
        UUID organization;
        String root;
        try (Program program = Program.start(machine, data)) {
            organization = UUID.fromString(program.organization());
            root = program.services();
        }
        List<String> paths = Fill.services(data, organization, services, Math.min(services, SAMPLED)).stream()
                .map(id -> root + "/" + id)
                .toList();
        Machine.syncDisk();
        return new Ground(data, paths);
    }

    /**
     * The reads of a small store against a bare server, of a large one against the small, and of unchanged services.
     */
    void reads(Ground small, Ground large) throws IOException, InterruptedException {
        List<Double> bare = new ArrayList<>();
        List<Double> few = new ArrayList<>();
        List<Double> many = new ArrayList<>();
        List<Double> same = new ArrayList<>();
        try (Program ofFew = Program.start(machine, small.data());
                Program ofMany = Program.start(machine, large.data())) {
            Request get = Request.get("", ofFew.authorization());
            long bytes;
            String tag;
            try (Wire wire = ofFew.connect()) {
                Wire.Reply reply = wire.exchange(get.at(small.paths().getFirst()));
                bytes = reply.bodyBytes();
                tag = reply.field("ETag");
            }
            Request unchanged = get.with("If-None-Match: " + tag);
            Request getOfMany = Request.get("", ofMany.authorization());
            try (Child limit = BareServer.start(machine, bytes)) {
                for (int round = -WARM_UP; round < scale.rounds(); round++) {
                    // The engine of a million services is always at work.
                    double bareRate = ofMany.whileStill(() -> read(limit.address(), get, small.paths()));
                    double fewRate = ofMany.whileStill(() -> read(ofFew.management(), get, small.paths()));
                    ofMany.awaitCalm();
                    double manyRate = read(ofMany.management(), getOfMany, large.paths());
                    double sameRate = ofMany.whileStill(() ->
                            read(ofFew.management(), unchanged, small.paths().subList(0, 1)));
                    if (round >= 0) {
                        bare.add(bareRate);
                        few.add(fewRate);
                        many.add(manyRate);
                        same.add(sameRate);
                    }
                }
            }
        }
        report.atLeast(
                "GET of a service, 32 connections, 1,000 services; limit: a bare route with the same bytes",
                few,
                bare,
                "/s",
                0.70);
        report.atLeast(
                "the same with " + Report.count(scale.large()) + " services; limit: with 1,000", many, few, "/s", 0.80);
        report.atLeast("GET with a matching If-None-Match; limit: the plain GET", same, few, "/s", 1.0);
    }

    private double read(URI server, Request get, List<String> paths) throws IOException, InterruptedException {
        return load.perSecond(server, get, paths, READERS, scale.span());
    }

    void mixed(Ground ground) throws IOException, InterruptedException {
        try (Program program = Program.start(machine, ground.data())) {
            Request get = Request.get("", program.authorization());
            Request create = Request.create(program.services(), program.authorization());
            List<String> paths = ground.paths();
            // The first round warms up.
            latencies(program, get, create, paths);
            List<PacedLoad.Spread> reads = new ArrayList<>();
            List<PacedLoad.Spread> writes = new ArrayList<>();
            for (int round = 0; round < scale.rounds(); round++) {
                PacedLoad.Latencies latencies = latencies(program, get, create, paths);
                reads.add(latencies.reads());
                writes.add(latencies.writes());
            }
            String where = " at 2,000 mixed requests/s, " + Report.count(scale.middle()) + " services";
            report("p99 of reads" + where, reads, 10);
            report("p99 of writes" + where, writes, 25);
            report.atMost(
                    "resident memory with " + Report.count(scale.middle()) + " services after load",
                    program.residentMib(),
                    "",
                    "MiB",
                    256);
        }
    }

    private PacedLoad.Latencies latencies(Program program, Request get, Request create, List<String> paths)
            throws IOException, InterruptedException {
        return PacedLoad.run(
                program.management(),
                number -> number % 10 == 0 ? create : get.at(paths.get(number % paths.size())),
                MIXED_PER_SECOND,
                scale.span().multipliedBy(2));
    }

    private void report(String what, List<PacedLoad.Spread> rounds, double most) {
        List<Double> p99 = rounds.stream().map(PacedLoad.Spread::p99).toList();
        double median =
                Report.median(rounds.stream().map(PacedLoad.Spread::median).toList());
        report.atMost(what, p99, "median " + Report.amount(median, "ms"), "ms", most);
    }

    void list(Ground ground, int services) throws IOException {
        try (Program program = Program.start(machine, ground.data());
                Wire wire = program.connect()) {
            Request list = Request.get(program.services(), program.authorization());
            List<Double> millis = new ArrayList<>();
            long bytes = 0;
            for (int round = -LISTS_TO_WARM_UP; round < scale.rounds(); round++) {
                long begun = System.nanoTime();
                bytes = wire.exchange(list).bodyBytes();
                if (round >= 0) {
                    millis.add((System.nanoTime() - begun) / 1e6);
                }
            }
            report.atMost(
                    "list of " + Report.count(services) + " services",
                    millis,
                    Report.amount(bytes / 1e6, "MB"),
                    "ms",
                    200);
        }
    }
}
