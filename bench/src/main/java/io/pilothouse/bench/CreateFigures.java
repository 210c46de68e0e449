package io.pilothouse.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Durable creates of services a second, beside the best that the same server and the same disk can do. */
final class CreateFigures {
    private static final int CONNECTIONS = 64;
    private static final int CREATED_TO_WEIGH = 1_000;
    /** Rounds before the measured ones: the JIT compiler works on a create for most of a minute. */
    private static final int WARM_UP = 9;

    private static final String LOCAL_PORTS = "10000-24999";
    private static final int LOCAL_WARM_UP = 2;
    /** By each connection in a round. */
    private static final int LOCAL_CREATES = 10;

    private final Machine machine;
    private final Report report;
    private final Load load;
    private final Scale scale;

    CreateFigures(Machine machine, Report report, Load load, Scale scale) {
        this.machine = machine;
        this.report = report;
        this.load = load;
        this.scale = scale;
    }

    void run() throws IOException, InterruptedException {
        int recordBytes = recordBytes();
        List<Double> created = new ArrayList<>();
        List<Double> appendedByRequests = new ArrayList<>();
        List<Double> appended = new ArrayList<>();
        Path folder = machine.newFolder("creates");
        try (Program program = Program.start(machine, folder.resolve("data"));
                Child bare = BareServer.startSyncing(machine, answerBytes(program), folder, recordBytes)) {
            Request create = Request.create("", program.authorization());
            List<String> path = List.of(program.services());
            for (int round = -WARM_UP; round < scale.rounds(); round++) {
                // Its engine is still busy with services of the last round, and would lower the limits.
                double bareRate = program.whileStill(() -> create(bare.address(), create, path));
                double createdRate = create(program.management(), create, path);
                if (round >= 0) {
                    appendedByRequests.add(bareRate);
                    created.add(createdRate);
                    appended.add(program.whileStill(() -> append(folder.resolve("file"), recordBytes)));
                }
            }
        }
        List<Double> local = local();
        // Some gigabytes, which must not share the disk with the figures that follow.
        Machine.remove(folder);
        String record = "records of " + Report.count(recordBytes) + " bytes, which a create leaves on disk,";
        report.atLeast(
                "durable create, 64 connections; limit: a bare route that has " + record
                        + " appended and synced in groups to one file",
                created,
                appendedByRequests,
                "/s",
                0.30);
        report.beside("the same on the local plane, whose databases are not started", local, appendedByRequests, "/s");
        report.beside(
                "durable create, 64 connections; beside " + record + " appended and synced by 64 threads, without HTTP",
                created,
                appended,
                "/s");
    }

    /**
     * The default of users: each create opens a door at ports of its own. A service keeps those, so the creates are
     * counted and few. Their ClickHouse is gone once the program has found it: starting one takes longer than all this.
     */
    private List<Double> local() throws IOException, InterruptedException {
        Path folder = machine.newFolder("local");
        Path engine = Files.writeString(folder.resolve("clickhouse"), "#!/bin/sh\nexit 1\n");
        Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> plane = List.of("--plane=local", "--engine=" + engine, "--gateway-ports=" + LOCAL_PORTS);
        List<Double> created = new ArrayList<>();
        try (Program program = Program.start(machine, folder.resolve("data"), true, plane)) {
            Files.delete(engine);
            Request create = Request.create(program.services(), program.authorization());
            for (int round = -LOCAL_WARM_UP; round < scale.rounds(); round++) {
                double rate = Load.perSecond(program.management(), create, CONNECTIONS, LOCAL_CREATES);
                if (round >= 0) {
                    created.add(rate);
                }
            }
        }
        return created;
    }

    private double create(URI server, Request create, List<String> path) throws IOException, InterruptedException {
        return load.perSecond(server, create, path, CONNECTIONS, scale.span());
    }

    private double append(Path file, int recordBytes) throws IOException, InterruptedException {
        double rate = SyncedFile.perSecond(file, recordBytes, CONNECTIONS, scale.span());
        Files.delete(file);
        return rate;
    }

    private static long answerBytes(Program program) throws IOException {
        try (Wire wire = program.connect()) {
            return wire.exchange(Request.create(program.services(), program.authorization()))
                    .bodyBytes();
        }
    }

    /** The bytes by which a create enlarges the store. */
    private int recordBytes() throws IOException {
        Path data = machine.newFolder("weighed").resolve("data");
        Program.start(machine, data).close();
        long before = storeBytes(data);
        try (Program program = Program.start(machine, data);
                Wire wire = program.connect()) {
            Request create = Request.create(program.services(), program.authorization());
            for (int number = 0; number < CREATED_TO_WEIGH; number++) {
                wire.exchange(create);
            }
        }
        return Math.toIntExact((storeBytes(data) - before) / CREATED_TO_WEIGH);
    }

    private static long storeBytes(Path data) throws IOException {
        return Files.size(data.resolve("pilothouse.db"));
    }
}
