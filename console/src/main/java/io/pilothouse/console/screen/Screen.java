package io.pilothouse.console.screen;

import java.util.List;

/**
 * A page that shows what the API answers, and has forms that send requests of it. Paths of the API are templates:
 * {@code {organization}} is the organization of the key, and other names are those of the page's own path.
 *
 * @param main the one thing that the page is about, or empty; a page about what is not there is not there either
 * @param live what is asked for again every few seconds, so no form is among it
 */
public record Screen(
        String operationId, String path, String title, String main, List<Way> ways, List<Part> live, List<Part> parts) {
    public Screen {
        ways = List.copyOf(ways);
        live = List.copyOf(live);
        parts = List.copyOf(parts);
    }

    /** A page about no one thing. */
    public static Screen of(String operationId, String path, String title, Part... parts) {
        return new Screen(operationId, path, title, "", List.of(), List.of(), List.of(parts));
    }

    public Screen about(String api) {
        return new Screen(operationId, path, title, api, ways, live, parts);
    }

    public Screen watching(Part... watched) {
        return new Screen(operationId, path, title, main, ways, List.of(watched), parts);
    }

    public Screen leadingTo(Way... others) {
        return new Screen(operationId, path, title, main, List.of(others), live, parts);
    }

    /** A link to another page. */
    public record Way(String path, String label) {}

    /** Something on the page, below a heading of its own. */
    public sealed interface Part {
        String heading();
    }

    /**
     * A list that the API answers, and forms for each line of it.
     *
     * @param within the member that has the list, or empty where the answer is the list
     * @param link where the first column leads, or empty
     * @param empty what to do next where there is nothing
     */
    public record Lines(
            String heading,
            String api,
            String within,
            List<Column> columns,
            String link,
            String empty,
            List<Form> forms)
            implements Part {
        public Lines {
            columns = List.copyOf(columns);
            forms = List.copyOf(forms);
        }
    }

    /** One thing that the API answers; {@code empty} says what it means that there is none. */
    public record Facts(String heading, String api, List<Column> columns, String empty) implements Part {
        public Facts {
            columns = List.copyOf(columns);
        }
    }

    /** The history of an alert that the API answers, drawn. */
    public record History(String heading, String api) implements Part {}

    /** A form below its label. */
    public record Asked(Form form) implements Part {
        @Override
        public String heading() {
            return form.label();
        }
    }

    /** One value of a line, or one fact; its path has dots for the objects that it is within. */
    public record Column(String label, String path, Sort sort) {
        /** How a value is shown. */
        public enum Sort {
            TEXT,
            STATE,
            MOMENT,
            /** A moment at which something ended: until then it has not. */
            END,
            JSON,
            /** A number that the workers of a pipe count: the path is its name. */
            FIGURE,
            /** How much such a number grows in a second. */
            RATE,
            /** The same of one that counts bytes. */
            BYTE_RATE
        }

        public static Column text(String label, String path) {
            return new Column(label, path, Sort.TEXT);
        }

        public static Column state(String label, String path) {
            return new Column(label, path, Sort.STATE);
        }

        public static Column moment(String label, String path) {
            return new Column(label, path, Sort.MOMENT);
        }

        public static Column end(String label, String path) {
            return new Column(label, path, Sort.END);
        }

        public static Column json(String label, String path) {
            return new Column(label, path, Sort.JSON);
        }

        public static Column rate(String label, String name) {
            return new Column(label, name, Sort.RATE);
        }

        public static Column byteRate(String label, String name) {
            return new Column(label, name, Sort.BYTE_RATE);
        }

        public static Column figure(String label, String name) {
            return new Column(label, name, Sort.FIGURE);
        }
    }
}
