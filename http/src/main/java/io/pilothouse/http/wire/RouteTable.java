package io.pilothouse.http.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the operations of a path, segment by segment, on the text as it was sent: nothing is decoded, folded or
 * resolved, so a path has exactly one spelling.
 */
public final class RouteTable {
    private static final int MAX_PARAMETERS = 8;

    private final List<AnyRoute> routes;
    private final Node root = new Node("");

    public RouteTable(List<? extends AnyRoute> routes) {
        this(routes, List.of());
    }

    /** Paths that nothing serves yet stay unknown: no parameter takes their words for a value. */
    public RouteTable(List<? extends AnyRoute> routes, List<String> unserved) {
        unserved.forEach(this::node);
        this.routes = List.copyOf(routes);
        Set<String> ids = new HashSet<>();
        for (AnyRoute route : routes) {
            if (!ids.add(route.operationId())) {
                throw new IllegalArgumentException(route.operationId() + " is routed twice");
            }
            place(route);
        }
    }

    /** Every operation, in the order in which it was given. */
    public List<AnyRoute> routes() {
        return routes;
    }

    private void place(AnyRoute route) {
        if (node(route.path()).routes.putIfAbsent(route.verb(), route) != null) {
            throw new IllegalArgumentException(route.verb() + " " + route.path() + " is routed twice");
        }
    }

    private Node node(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(path + " does not begin with a slash");
        }
        Node node = root;
        for (String segment : path.substring(1).split("/", -1)) {
            boolean parameter = segment.startsWith("{") && segment.endsWith("}");
            node = parameter ? node.parameter(segment.substring(1, segment.length() - 1)) : node.literal(segment);
        }
        return node;
    }

    /**
     * Finds the routes of this path; null if there are none. A literal segment wins over a parameter in the same place.
     */
    @Nullable
    Match find(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return null;
        }
        int[] bounds = new int[2 * MAX_PARAMETERS];
        int parameters = 0;
        Node node = root;
        int start = 1;
        // A slash at the end names nothing more.
        while (start < path.length() || start == 1) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            Node next = node.literalAt(path, start, end);
            if (next == null && node.parameter != null && end > start) {
                next = node.parameter;
                bounds[2 * parameters] = start;
                bounds[2 * parameters + 1] = end;
                parameters++;
            }
            if (next == null) {
                return null;
            }
            node = next;
            start = end + 1;
        }
        return node.routes.isEmpty() ? null : new Match(node, path, bounds);
    }

    /** A path that has operations, and the values of its parameters. */
    static final class Match {
        private final Node node;
        private final String path;
        private final int[] bounds;

        private Match(Node node, String path, int[] bounds) {
            this.node = node;
            this.path = path;
            this.bounds = bounds;
        }

        /** Null when the path has no such method. */
        @Nullable
        AnyRoute route(@Nullable Verb verb) {
            return verb == null ? null : node.routes.get(verb);
        }

        /** The methods of this path, as the Allow header lists them. */
        String allow() {
            List<String> methods = new ArrayList<>();
            for (Verb verb : node.routes.keySet()) {
                methods.add(verb.name());
                if (verb == Verb.GET) {
                    methods.add("HEAD");
                }
            }
            return String.join(", ", methods);
        }

        List<String> parameterNames() {
            return node.parameterNames;
        }

        /** The text of a parameter as it was sent, by the place of its name. */
        String parameter(int index) {
            return path.substring(bounds[2 * index], bounds[2 * index + 1]);
        }

        /** The text of a parameter as it was sent; null when the path has no such parameter. */
        @Nullable
        String parameter(String name) {
            int index = node.parameterNames.indexOf(name);
            return index < 0 ? null : parameter(index);
        }
    }

    /** One segment of the known paths. */
    private static final class Node {
        private final String segment;
        private final List<String> parameterNames;
        private final Map<Verb, AnyRoute> routes = new EnumMap<>(Verb.class);
        private Node[] literals = new Node[0];
        private @Nullable Node parameter;

        private Node(String segment) {
            this(segment, List.of());
        }

        private Node(String segment, List<String> parameterNames) {
            this.segment = segment;
            this.parameterNames = parameterNames;
        }

        private Node literal(String text) {
            Node known = literalAt(text, 0, text.length());
            if (known != null) {
                return known;
            }
            Node added = new Node(text, parameterNames);
            literals = Arrays.copyOf(literals, literals.length + 1);
            literals[literals.length - 1] = added;
            return added;
        }

        private Node parameter(String name) {
            List<String> names = new ArrayList<>(parameterNames);
            names.add(name);
            if (names.size() > MAX_PARAMETERS) {
                throw new IllegalArgumentException("A path has at most " + MAX_PARAMETERS + " parameters");
            }
            if (parameter == null) {
                parameter = new Node("", List.copyOf(names));
            }
            if (!parameter.parameterNames.equals(names)) {
                throw new IllegalArgumentException("{" + name + "} is called {" + parameter.parameterNames.getLast()
                        + "} in another path of the same form");
            }
            return parameter;
        }

        private @Nullable Node literalAt(String path, int start, int end) {
            for (Node literal : literals) {
                if (literal.segment.length() == end - start
                        && path.regionMatches(start, literal.segment, 0, end - start)) {
                    return literal;
                }
            }
            return null;
        }
    }
}
