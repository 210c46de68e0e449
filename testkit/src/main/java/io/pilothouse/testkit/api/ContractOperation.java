package io.pilothouse.testkit.api;

import com.networknt.schema.Schema;
import java.util.List;
import java.util.Map;

/** One operation of the document, its schemas compiled: which bodies it takes, and which answers it may give. */
record ContractOperation(
        String id, String method, List<String> segments, Request request, Map<Integer, Answer> answers) {

    /** The bodies it takes, by media type; none when it takes no body. */
    record Request(boolean required, Map<String, Schema> byType) {}

    /** The bodies of one status, by media type; none when the status has no body. */
    record Answer(Map<String, Schema> byType) {}

    boolean fits(List<String> path) {
        if (path.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < path.size(); i++) {
            boolean fits = isParameter(segments.get(i))
                    ? !path.get(i).isEmpty()
                    : segments.get(i).equals(path.get(i));
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** How many segments are not parameters: where two operations fit, the one with more is meant. */
    long fixedSegments() {
        return segments.stream().filter(segment -> !isParameter(segment)).count();
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }
}
