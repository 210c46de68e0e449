package io.pilothouse.server.verify;

import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.base.Tree;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.log.Escaped;
import java.io.PrintStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Has a running program prove the newest backup of each service, one after another, and says what came of each. */
public final class Verification {
    private static final int NOT_FOUND = 404;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** A proof may take hours, and wait for others. */
    private static final int LOOKS = 12 * 3_600;

    private final AdminClient admin;
    private final PrintStream out;
    private final Duration pause;
    private final int looks;
    private final Map<Outcome, Integer> results = new EnumMap<>(Outcome.class);

    /** It looks that often how far a proof is, with a pause before each look; one that has not ended then is untried. */
    Verification(AdminClient admin, PrintStream out, Duration pause, int looks) {
        this.admin = admin;
        this.out = out;
        this.pause = pause;
        this.looks = looks;
    }

    /** Has the newest backup of the service with this id proven, or of all where none is named. */
    public static void ask(AdminClient admin, List<String> service, PrintStream out) throws CommandRefused {
        try {
            Optional<UUID> id = service.stream().map(UUID::fromString).findFirst();
            new Verification(admin, out, PAUSE, LOOKS).run(id);
        } catch (IllegalArgumentException noId) {
            throw new CommandRefused(
                    Escaped.text(service.getFirst()) + " is not the id of a service, which is a UUID.", noId);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandRefused("It was interrupted.", e);
        }
    }

    /**
     * Proves the newest backup of one service, or of all.
     *
     * @throws CommandRefused if one of them is not known to be restorable
     */
    void run(Optional<UUID> service) throws CommandRefused, InterruptedException {
        List<String> services = service.isPresent() ? List.of(service.get().toString()) : all();
        int without = 0;
        for (int i = 0; i < services.size(); i++) {
            String id = services.get(i);
            Optional<Tree.Members> newest = newest(id);
            Optional<String> backup = newest.flatMap(row -> row.text("backupId"));
            if (backup.isPresent()) {
                out.println("proving " + (i + 1) + " of " + services.size() + ": backup " + backup.get()
                        + " of service " + id);
                say(proven(id));
            } else if (service.isPresent()) {
                throw new CommandRefused("There is no finished backup of a service " + id + ".");
            } else {
                without++;
            }
        }
        close(without);
    }

    private List<String> all() throws CommandRefused {
        List<String> services = new ArrayList<>();
        List<String> page = ids("");
        while (!page.isEmpty()) {
            services.addAll(page);
            page = ids("?after=" + page.getLast());
        }
        return services;
    }

    private List<String> ids(String query) throws CommandRefused {
        AdminClient.Said said = admin.ask("GET", ProofRoutes.PATH + query);
        if (!said.isFine()) {
            throw new CommandRefused(said.message() + ".");
        }
        return said.document().objects("proofs").stream()
                .flatMap(row -> row.text("serviceId").stream())
                .toList();
    }

    /** Empty for a service that is gone. */
    private Optional<Tree.Members> newest(String service) throws CommandRefused {
        AdminClient.Said said = admin.ask("GET", ProofRoutes.PATH + "?service=" + service);
        if (!said.isFine() && said.status() != NOT_FOUND) {
            throw new CommandRefused(said.message() + ".");
        }
        return said.document().objects("proofs").stream().findFirst();
    }

    /** The proof that came of it, as the program shows it; empty if there was none in time, or the backup is gone. */
    private Optional<Tree.Members> proven(String service) throws CommandRefused, InterruptedException {
        AdminClient.Said asked = admin.ask("POST", ProofRoutes.PATH + "?service=" + service);
        if (asked.status() == NOT_FOUND) {
            return Optional.empty();
        }
        if (!asked.isFine()) {
            throw new CommandRefused(asked.message() + ".");
        }
        Instant since = moment(asked.document(), "askedAt").orElse(Instant.MAX);
        for (int look = 0; look < looks; look++) {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            Optional<Tree.Members> newest = newest(service);
            if (newest.flatMap(row -> row.text("backupId")).isEmpty()) {
                return Optional.empty();
            }
            Optional<Tree.Members> proof = newest.flatMap(row -> row.members("proof"));
            if (proof.flatMap(each -> moment(each, "provenAt"))
                    .filter(at -> !at.isBefore(since))
                    .isPresent()) {
                return proof;
            }
        }
        return Optional.empty();
    }

    private static Optional<Instant> moment(Tree.Members members, String name) {
        try {
            return members.text(name).map(Instant::parse);
        } catch (DateTimeException notAMoment) {
            return Optional.empty();
        }
    }

    private void say(Optional<Tree.Members> proof) {
        Outcome outcome = proof.flatMap(each -> each.text("status"))
                .map(Verification::outcome)
                .orElse(Outcome.UNTRIED);
        results.merge(outcome, 1, Integer::sum);
        String more = outcome == Outcome.RESTORABLE
                ? proof.map(each -> figure(each, "parts") + " parts with " + figure(each, "rows") + " rows came back")
                        .orElse("")
                : proof.flatMap(each -> each.text("problem"))
                        .orElse("It did not end in time, or is not there any more.");
        out.println("  " + outcome.word() + ": " + Escaped.text(more));
    }

    private static Outcome outcome(String word) {
        for (Outcome outcome : Outcome.values()) {
            if (outcome.word().equals(word)) {
                return outcome;
            }
        }
        return Outcome.UNTRIED;
    }

    private static String figure(Tree.Members members, String name) {
        return String.format(Locale.ROOT, "%.0f", members.number(name).orElse(0.0));
    }

    private void close(int without) throws CommandRefused {
        int tried = results.values().stream().mapToInt(Integer::intValue).sum();
        String summary = results.entrySet().stream()
                .map(result -> result.getValue() + " " + result.getKey().word())
                .collect(Collectors.joining(", "));
        out.println(
                tried == 0
                        ? "No service has a finished backup."
                        : "Of " + tried + (tried == 1 ? " backup" : " backups") + ": " + summary
                                + (without == 0 ? "." : "; services without a finished backup: " + without + "."));
        int bad = tried - results.getOrDefault(Outcome.RESTORABLE, 0);
        if (bad > 0) {
            throw new CommandRefused(
                    (bad == 1 ? "One backup is" : bad + " backups are") + " not known to be restorable.");
        }
    }
}
