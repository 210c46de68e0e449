package io.pilothouse.store;

import io.pilothouse.core.base.IpAccessEntry;
import java.util.List;

/** Address lists inside documents; keys and services have the same. */
final class IpAccess {
    private static final String MEMBER = "ipAccessList";

    private IpAccess() {}

    static void write(List<IpAccessEntry> entries, DocumentOut document) {
        document.list(
                MEMBER,
                entries,
                (entry, out) -> out.text("source", entry.source()).text("description", entry.description()));
    }

    static List<IpAccessEntry> read(DocumentIn document) {
        return document.list(MEMBER, in -> new IpAccessEntry(in.text("source", ""), in.textOrNull("description")));
    }
}
