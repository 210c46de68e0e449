package io.pilothouse.testkit.soak;

import io.pilothouse.testkit.soak.SoakProgram.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A client with services of its own that does one thing after another, by chance, and believes what it is answered. It
 * also kills: the databases of any client, and the program.
 */
final class SoakWalker {
    private static final int MAX_BACKUPS = 3;
    private static final int MAX_MILLIS_UNTIL_KILLED_AGAIN = 3_000;

    private final SoakProgram program;
    private final SplittableRandom chance;
    private final AtomicLong batches;
    private final String name;
    private final int maxServices;
    private final boolean resting;
    private final List<SoakService> services = new ArrayList<>();
    private final Map<Deed, Integer> done = new EnumMap<>(Deed.class);
    private int named;
    private int steps;

    /** What it does, with how likely it is. */
    enum Deed {
        CREATE(9),
        INSERT(30),
        CHECK(8),
        STOP(6),
        START(10),
        RENAME(3),
        CHANGE_PASSWORD(3),
        BACK_UP(9),
        RESTORE(7),
        DELETE(4),
        REST(2),
        WAKE(0),
        KILL_DATABASE(4),
        KILL_PROGRAM(3),
        RESTART_PROGRAM(2);

        private final int weight;

        Deed(int weight) {
            this.weight = weight;
        }
    }

    SoakWalker(SoakProgram program, SplittableRandom chance, AtomicLong batches, String name, Soak.Plan plan) {
        this.program = program;
        this.chance = chance;
        this.batches = batches;
        this.name = name;
        this.maxServices = plan.servicesOfEach();
        this.resting = plan.lastsLong();
    }

    List<SoakService> services() {
        return services;
    }

    int steps() {
        return steps;
    }

    /** How often it did what. */
    Map<Deed, Integer> done() {
        return done;
    }

    /** Does one thing that it can do; does not kill the program if {@code sparing}. */
    void step(boolean sparing) throws IOException, InterruptedException {
        steps++;
        wakeSleepers();
        Deed deed = drawn();
        try {
            while (!does(deed, sparing)) {
                deed = drawn();
            }
        } catch (AssertionError e) {
            throw new AssertionError(name + " in its step " + steps + ", " + deed + ": " + e.getMessage(), e);
        }
        done.merge(deed, 1, Integer::sum);
    }

    private boolean does(Deed deed, boolean sparing) throws IOException, InterruptedException {
        return switch (deed) {
            case CREATE -> create();
            case INSERT -> with(running(), service -> service.insert(batches::incrementAndGet));
            case CHECK -> with(running(), SoakService::check);
            case STOP -> with(running(), service -> command(service, false));
            case START -> with(stopped(), service -> command(service, true));
            case RENAME -> with(all(), this::rename);
            case CHANGE_PASSWORD -> with(all(), this::changePassword);
            case BACK_UP -> with(running(), this::backUp);
            case RESTORE -> restore();
            case DELETE -> with(all(), this::delete);
            case REST -> resting && all().count() > 1 && with(running(), service -> service.rest(true));
            case WAKE -> false;
            case KILL_DATABASE -> killDatabase();
            case KILL_PROGRAM -> !sparing && !program.isSpared() && killProgram();
            case RESTART_PROGRAM -> !sparing && !program.isSpared() && restartProgram();
        };
    }

    private Deed drawn() {
        int roll = chance.nextInt(
                Stream.of(Deed.values()).mapToInt(deed -> deed.weight).sum());
        for (Deed deed : Deed.values()) {
            roll -= deed.weight;
            if (roll < 0) {
                return deed;
            }
        }
        throw new IllegalStateException("Weights do not add up");
    }

    @FunctionalInterface
    private interface Act {
        void on(SoakService service) throws IOException, InterruptedException;
    }

    private boolean with(Stream<SoakService> some, Act act) throws IOException, InterruptedException {
        List<SoakService> choice = some.toList();
        if (choice.isEmpty()) {
            return false;
        }
        act.on(choice.get(chance.nextInt(choice.size())));
        return true;
    }

    /** Those that are not left alone. */
    private Stream<SoakService> all() {
        return services.stream().filter(service -> !service.isResting());
    }

    private Stream<SoakService> running() {
        return all().filter(SoakService::isRunning);
    }

    private Stream<SoakService> stopped() {
        return all().filter(service -> !service.isRunning());
    }

    private String key() {
        return new UUID(chance.nextLong(), chance.nextLong()).toString();
    }

    private Answer patch(String path, String body) throws InterruptedException {
        return program.ask("PATCH", path, body, "");
    }

    private boolean create() throws InterruptedException {
        if (services.size() >= maxServices) {
            return false;
        }
        SoakService made = make("", SoakService.Known.NOTHING);
        made.makeTable();
        return true;
    }

    private SoakService make(String more, SoakService.Known known) throws InterruptedException {
        String called = name + " " + ++named;
        Answer answer = program.ask(
                "POST",
                "/services",
                "{\"name\":\"" + called + "\",\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5"
                        + more + "}",
                key());
        SoakService made = new SoakService(
                called, answer.result(), program.data().resolve("tls").resolve("ca.crt"), known);
        services.add(made);
        return made;
    }

    void command(SoakService service, boolean run) throws InterruptedException {
        if (!run) {
            program.disturb();
        }
        patch(service.path() + "/state", "{\"command\":\"" + (run ? "start" : "stop") + "\"}")
                .result();
        service.wantRunning(run);
    }

    private void rename(SoakService service) throws InterruptedException {
        String next = name + " " + ++named;
        patch(service.path(), "{\"name\":\"" + next + "\"}").result();
        service.rename(next);
    }

    private void changePassword(SoakService service) throws InterruptedException {
        program.disturb();
        service.open(patch(service.path() + "/password", "{}")
                .result()
                .path("password")
                .asString());
    }

    /** A service that does not run yet, or is being backed up, refuses it. */
    private void backUp(SoakService service) throws InterruptedException {
        long disturbances = program.disturbances();
        SoakService.Known known = service.known();
        Answer answer = program.ask("POST", service.path() + "/backups", null, key());
        if (answer.status() != 409 && service.backups().size() < MAX_BACKUPS) {
            UUID id = UUID.fromString(answer.result().path("id").asString());
            service.backups().add(new SoakService.Backup(id, known.sure(), disturbances));
        }
    }

    private boolean restore() throws InterruptedException {
        List<SoakService> sources = services.stream()
                // A backup of a stopped service is not made before that runs again.
                .filter(service -> service.isRunning() && !service.backups().isEmpty())
                .toList();
        if (services.size() >= maxServices || sources.isEmpty()) {
            return false;
        }
        SoakService source = sources.get(chance.nextInt(sources.size()));
        SoakService.Backup backup =
                source.backups().remove(chance.nextInt(source.backups().size()));
        if (!isDone(source, backup)) {
            return false;
        }
        SoakService.Known known = source.known();
        Stream<Long> perhaps = Stream.concat(known.sure().stream(), known.perhaps().stream())
                .filter(batch -> !backup.within().contains(batch));
        SoakService made = make(
                ",\"backupId\":\"" + backup.id() + "\"",
                new SoakService.Known(backup.within(), perhaps.collect(Collectors.toSet())));
        made.check();
        return true;
    }

    /** Waits until it is; one beside which something was killed or stopped may have failed. */
    private boolean isDone(SoakService source, SoakService.Backup backup) throws InterruptedException {
        String path = source.path() + "/backups/" + backup.id();
        String end = SoakWait.until("the end of backup " + backup.id(), () -> {
            String status = program.get(path).result().path("status").asString();
            return status.equals("in_progress") ? Optional.empty() : Optional.of(status);
        });
        if (!end.equals("done") && program.disturbances() == backup.disturbances()) {
            throw new AssertionError("The backup " + backup.id() + " failed undisturbed: " + program.get(path));
        }
        return end.equals("done");
    }

    void delete(SoakService service) throws InterruptedException {
        command(service, false);
        awaitState(service, "stopped");
        Answer answer = program.ask("DELETE", service.path(), null, "");
        if (answer.status() != 404 || !answer.again()) {
            answer.result();
        }
        SoakWait.until(
                "the end of " + service.id(),
                () -> program.get(service.path()).status() == 404 ? Optional.of(true) : Optional.empty());
        service.close();
        services.remove(service);
    }

    void awaitState(SoakService service, String... states) throws InterruptedException {
        SoakWait.untilNothingIsMissing(service.id() + " is " + String.join(" or ", states), () -> {
            String state = program.get(service.path()).result().path("state").asString();
            return List.of(states).contains(state) ? "" : state;
        });
    }

    /** A client comes to each service that was left alone and has fallen asleep. */
    private void wakeSleepers() throws InterruptedException {
        for (SoakService service : services) {
            if (service.isResting()
                    && program.get(service.path())
                            .result()
                            .path("state")
                            .asString()
                            .equals("idle")) {
                service.check();
                service.rest(false);
                done.merge(Deed.WAKE, 1, Integer::sum);
            }
        }
    }

    private boolean killDatabase() {
        List<ProcessHandle> databases = program.databases();
        if (databases.isEmpty()) {
            return false;
        }
        program.disturb();
        databases.get(chance.nextInt(databases.size())).destroyForcibly();
        return true;
    }

    private boolean killProgram() throws IOException, InterruptedException {
        boolean twice = chance.nextInt(3) == 0;
        program.kill(chance.nextBoolean(), twice ? List.of(chance.nextInt(MAX_MILLIS_UNTIL_KILLED_AGAIN)) : List.of());
        return true;
    }

    private boolean restartProgram() throws IOException, InterruptedException {
        program.restart(chance.nextBoolean());
        return true;
    }
}
