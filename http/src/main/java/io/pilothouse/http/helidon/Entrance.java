package io.pilothouse.http.helidon;

import io.pilothouse.incoming.Room;
import java.util.concurrent.ExecutorService;

/**
 * What several listeners share.
 *
 * @param threads gives every task a thread of its own, a virtual one
 * @param room for the bytes of requests that are not answered yet
 */
public record Entrance(ExecutorService threads, Room room) {}
