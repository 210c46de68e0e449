package io.pilothouse.gateway;

import java.util.List;

/** What one parser makes of a stream of HTTP: the whole messages in it, and how it ends. */
record GatewayFramed(End end, List<String> messages) {
    enum End {
        /** All was understood, and another message may follow. */
        IDLE,
        /** A message has begun and is not whole. */
        WAITING,
        /** What follows the messages is not HTTP, or not allowed. */
        REFUSED,
        /** Nothing more is read, whatever follows. */
        CLOSED;

        boolean isOver() {
            return this == REFUSED || this == CLOSED;
        }
    }

    GatewayFramed {
        messages = List.copyOf(messages);
    }

    /** Whether another parser may be fooled by what this one lets pass. */
    boolean differsFrom(GatewayFramed other) {
        int both = Math.min(messages.size(), other.messages.size());
        if (!messages.subList(0, both).equals(other.messages.subList(0, both))) {
            return true;
        }
        if (messages.size() > both) {
            return !other.end.isOver();
        }
        if (other.messages.size() > both) {
            return !end.isOver();
        }
        return end == End.IDLE && other.end == End.WAITING;
    }
}
