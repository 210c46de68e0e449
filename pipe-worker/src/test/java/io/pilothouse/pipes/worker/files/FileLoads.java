package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** What loads files of a bucket, put together as a worker does. */
final class FileLoads {
    private FileLoads() {}

    /** From the bucket {@code landing} of the server at this address, into a table of one column. */
    static FileLoad of(Link link, String address) throws Trouble.Owner {
        Assignment assignment = new Assignment(
                "p",
                "objectStorage",
                new Tree.Members(Map.of("url", new Tree.Text(address + "/landing/in/*.json"))),
                Tree.Members.NONE,
                Tree.Members.NONE,
                new Target("d", "t", List.of("id"), List.of("id"), "`id` UInt64"),
                0,
                Assignment.Errand.MOVE,
                0,
                new Share(0, 1, 1, 0.5, 125));
        Destination destination = new Destination(link, assignment.target());
        FileStore store = FileStore.of(link, assignment, Clock.systemUTC());
        FileReading reading = new FileReading(assignment, store);
        UnreadFiles unread = new UnreadFiles(link, new ErrorTable(destination, "p"));
        return new FileLoad(link, destination, reading, new StagedLoad(link, destination, reading, store, unread));
    }
}
