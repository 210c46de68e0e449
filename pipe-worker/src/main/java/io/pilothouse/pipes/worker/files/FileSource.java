package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.files.FileQueue.Message;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.FileStore.Page;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Replay;
import io.pilothouse.pipes.worker.outside.Source;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files that match a pattern: those there are, and where the pipe is continuous those that come later, also
 * under a key that was passed already. Each worker of a pipe takes its share of the keys, or what a queue tells it of.
 */
public final class FileSource implements Source {
    private static final long USUAL_POLLING_MILLIS = 30_000;

    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final ExecutorService threads;
    private final Clock clock;
    private final Replay replay;
    /** Files that are known to be in the table, by a hash: a listing need not ask for them each time. */
    private final Set<UUID> loaded = new HashSet<>();

    /** Whether all that was there when the worker began is loaded: from then on a queue says what is new. */
    private boolean listed;

    /** Held over rounds, as the tokens of its login are. */
    private @Nullable FileStore held;

    private @Nullable String wrong;
    /** What kept some files of this round from being loaded; the others went on. */
    private @Nullable Trouble hindrance;

    public FileSource(Link link, Assignment assignment, Destination destination, ExecutorService threads, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.threads = threads;
        this.clock = clock;
        this.replay = new Replay(link, assignment, destination);
    }

    @Override
    public void run() throws InterruptedException {
        BackOff backOff = new BackOff();
        boolean continuous = assignment.source().flag("isContinuous");
        long polling = assignment
                .settings()
                .number("object_storage_polling_interval_ms")
                .map(Double::longValue)
                .orElse(USUAL_POLLING_MILLIS);
        String queue = assignment.source().text("queueUrl").orElse("");
        listed = assignment.source().flag("skipInitialLoad");
        long pause = 0;
        while (!link.pause(pause)) {
            pause = queue.isEmpty() ? polling : 0;
            try {
                hindrance = null;
                round(queue);
                if (hindrance != null) {
                    throw hindrance;
                }
                backOff.reset();
                if (!link.isDraining()) {
                    link.report(continuous ? Condition.RUNNING : Condition.COMPLETED, wrong == null ? "" : wrong, 0);
                }
                if (!continuous) {
                    return;
                }
            } catch (Trouble.Owner fault) {
                link.report(Condition.FAILED, fault.sentence(), -1);
                return;
            } catch (Trouble.DestinationAway away) {
                link.report(Condition.WITHOUT_DESTINATION, away.sentence(), -1);
                pause = backOff.millis();
            } catch (Trouble away) {
                link.report(Condition.WITHOUT_SOURCE, away.sentence(), -1);
                pause = backOff.millis();
            }
        }
    }

    private void round(String queue) throws Trouble, InterruptedException {
        FileStore store = held == null ? FileStore.of(link, assignment, clock) : held;
        held = store;
        FileReading reading = new FileReading(assignment, store);
        UnreadFiles unread = new UnreadFiles(link, new ErrorTable(destination, assignment.pipe()));
        FileLoad load =
                new FileLoad(link, destination, reading, new StagedLoad(link, destination, reading, store, unread));
        FileReplay again = new FileReplay(link, assignment, destination, reading, load, store, unread);
        while (!link.isDraining() && replay.next(again::read)) {
            wrong = again.wrong().orElse(wrong);
            link.report(Condition.RUNNING, wrong == null ? "" : wrong, -1);
        }
        Optional<FileQueue> told = queue.isEmpty() || !listed ? Optional.empty() : store.queue(queue);
        if (told.isPresent()) {
            follow(told.get(), load, store);
            return;
        }
        list(load, store);
        listed = hindrance == null;
    }

    /** Loads what a queue tells of; a message is deleted when the ledger has all of its files. */
    private void follow(FileQueue queue, FileLoad load, FileStore store) throws Trouble, InterruptedException {
        List<Message> messages = queue.receive();
        if (messages.isEmpty()) {
            return;
        }
        Map<String, Found> files = new LinkedHashMap<>();
        for (Message message : messages) {
            message.files().orElse(List.of()).stream()
                    .filter(file -> store.glob().matches(file.key()))
                    .forEach(file -> files.put(file.key(), file));
        }
        if (messages.stream().anyMatch(message -> message.files().isEmpty())) {
            wrong = "A message of the queue is no notification of a bucket; it is left there.";
        }
        load(load, store, List.copyOf(files.values()));
        Set<String> open = new HashSet<>();
        Map<String, Span> ledger = link.ranges(
                        files.values().stream().map(file -> store.part(file)).toList())
                .orElse(Map.of());
        for (Found file : files.values()) {
            Span span = ledger.get(store.part(file));
            // One that was deleted meanwhile can never be loaded.
            if ((span == null || span.from() == 0) && (hindrance == null || store.has(file.key()))) {
                open.add(file.key());
            }
        }
        if (open.isEmpty()) {
            hindrance = null;
        }
        queue.delete(messages.stream()
                .filter(message -> message.files().isPresent()
                        && message.files().get().stream().noneMatch(file -> open.contains(file.key())))
                .toList());
    }

    private void list(FileLoad load, FileStore store) throws Trouble, InterruptedException {
        Optional<Found> single = store.single();
        if (single.isPresent()) {
            load(load, store, List.of(single.get()));
            return;
        }
        String startAfter = assignment.source().text("startAfter").orElse("");
        Page page = store.page(null, startAfter);
        // Its source answers: what is left may take long.
        link.report(Condition.RUNNING, wrong == null ? "" : wrong, -1);
        while (!link.isDraining()) {
            load(
                    load,
                    store,
                    page.files().stream()
                            .filter(file -> store.glob().matches(file.key()))
                            .filter(file -> file.key().compareTo(startAfter) > 0)
                            .filter(this::isMine)
                            .toList());
            String next = page.next();
            if (next == null) {
                return;
            }
            page = store.page(next, startAfter);
        }
    }

    private boolean isMine(Found file) {
        Assignment.Share share = assignment.share();
        return Math.floorMod(file.key().hashCode(), share.workers()) == share.index();
    }

    /** Loads those that the ledger does not have, as many at once as the pipe may. */
    private void load(FileLoad load, FileStore store, List<Found> files) throws Trouble, InterruptedException {
        List<Found> unknown = files.stream()
                .filter(file -> !loaded.contains(hash(file.key())))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        List<String> parts = unknown.stream().map(file -> store.part(file)).toList();
        Map<String, Span> begun = link.ranges(parts).orElse(Map.of());
        Semaphore places = new Semaphore(Math.max(1, assignment.share().concurrency()));
        List<Future<@Nullable String>> loads = new ArrayList<>();
        // A table remembers its last inserts only: what a crash left half done goes before what is new.
        List<Found> inOrder = unknown.stream()
                .sorted(Comparator.comparing(file -> !begun.containsKey(store.part(file))))
                .toList();
        for (Found file : inOrder) {
            Span earlier = begun.get(store.part(file));
            if (earlier != null && earlier.from() > 0) {
                loaded.add(hash(file.key()));
            } else if (!link.isDraining()) {
                places.acquire();
                loads.add(threads.submit(() -> {
                    try {
                        return load.load(file, store.part(file), earlier);
                    } finally {
                        places.release();
                    }
                }));
            }
        }
        finish(loads);
    }

    private void finish(List<Future<@Nullable String>> loads) throws Trouble, InterruptedException {
        for (Future<@Nullable String> load : loads) {
            try {
                String bad = load.get();
                wrong = bad == null ? wrong : bad;
                link.report(Condition.RUNNING, wrong == null ? "" : wrong, -1);
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof Trouble trouble)) {
                    throw new IllegalStateException(failed.getCause());
                }
                // A database that is away takes no other file either; a file that cannot be read keeps none back.
                if (!(trouble instanceof Trouble.SourceAway)) {
                    throw trouble;
                }
                hindrance = trouble;
            }
        }
    }

    private static UUID hash(String key) {
        return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
    }
}
