package io.pilothouse.server.api;

import io.pilothouse.core.base.Edition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** How far the served operations are those of the live service: what a client may send or await that is not there. */
final class Compatibility {
    private static final int LISTED_WORDS = 4;

    private final Set<String> served;
    private final Map<Edition, ServedFields> documents = new LinkedHashMap<>();

    /** @param served the ids of the operations that are routed, in every edition the same */
    Compatibility(Set<String> served, Map<Edition, JsonNode> documents) {
        this.served = served;
        documents.forEach((edition, document) -> this.documents.put(edition, new ServedFields(document)));
    }

    /** How an operation stands; what differs is a phrase for each edition. */
    record Standing(LiveOperations.Live operation, boolean served, Map<Edition, List<String>> differing) {
        boolean whole(Edition edition) {
            return served && differing(edition).isEmpty();
        }

        List<String> differing(Edition edition) {
            return differing.getOrDefault(edition, List.of());
        }
    }

    Standing of(LiveOperations.Live live) {
        Map<Edition, List<String>> differing = new LinkedHashMap<>();
        boolean there = served.contains(live.id());
        documents.forEach(
                (edition, document) -> differing.put(edition, there ? differences(live, document) : List.of()));
        return new Standing(live, there, differing);
    }

    private static List<String> differences(LiveOperations.Live live, ServedFields document) {
        List<String> all = new ArrayList<>();
        SortedSet<String> query = new TreeSet<>(live.query());
        query.removeAll(document.query(live.id()));
        say(all, "ignores the parameter", query);
        SortedMap<String, Set<String>> takes = document.takes(live.id());
        say(all, "ignores", missing(live.takes(), takes));
        words(all, "takes", live.takes(), takes);
        SortedMap<String, Set<String>> answers = document.answers(live.id());
        say(all, "does not show", missing(live.answers(), answers));
        return all;
    }

    /** The fields that are not there; what is inside of one of them goes without saying. */
    private static SortedSet<String> missing(SortedMap<String, Set<String>> live, SortedMap<String, Set<String>> own) {
        SortedSet<String> missing = new TreeSet<>();
        for (String field : live.keySet()) {
            int dot = field.lastIndexOf('.');
            boolean known = own.containsKey(field) || field.isEmpty();
            if (!known && (dot < 0 || own.containsKey(field.substring(0, dot)))) {
                missing.add(field);
            }
        }
        return missing;
    }

    private static void words(
            List<String> all, String verb, SortedMap<String, Set<String>> live, SortedMap<String, Set<String>> own) {
        live.forEach((field, words) -> {
            Set<String> known = own.getOrDefault(field, Set.of());
            SortedSet<String> missing = new TreeSet<>(words);
            missing.removeAll(known);
            if (!known.isEmpty() && !missing.isEmpty()) {
                String list = missing.size() > LISTED_WORDS
                        ? missing.size() + " of its words"
                        : missing.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
                all.add(verb + " `" + field + "` without " + list);
            }
        });
    }

    private static void say(List<String> all, String words, SortedSet<String> names) {
        if (!names.isEmpty()) {
            all.add(words + " " + names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")));
        }
    }
}
