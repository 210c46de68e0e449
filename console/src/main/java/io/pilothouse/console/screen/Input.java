package io.pilothouse.console.screen;

import java.util.List;

/**
 * A field of a form.
 *
 * @param path the member of the request's body that it sets, with dots for the objects that it is within
 * @param value what it holds before anybody types
 * @param filled the member that fills it in, where the form has one to fill it from
 * @param options what can be chosen, one of them
 * @param choices a path of the API whose list any can be chosen from, and the members for value and label
 */
public record Input(
        String label, String path, Sort sort, String value, String filled, List<String> options, Choices choices) {
    /** How the field of a whole body is called. */
    public static final String WHOLE = "body";

    public Input {
        options = List.copyOf(options);
    }

    /** What a field takes, and what it is in the body. */
    public enum Sort {
        TEXT,
        /**
         * A text that can be taken away: what is left empty is sent as null. It is not shown where what fills it in
         * cannot be read.
         */
        REMOVABLE,
        SECRET,
        NUMBER,
        FLAG,
        /** One of the options. */
        CHOICE,
        /** Any of the choices: a list of texts. */
        MANY,
        /** A list of texts, one in each line. */
        LINES,
        /** An access list: an address in each line, and behind a blank what it is. */
        ADDRESSES,
        /** Whatever JSON is typed. */
        JSON,
        /** The whole body, as it is typed. */
        BODY,
        /** A part of the path of the request, and not of its body. */
        PATH,
        /** Not shown: sent as it is. */
        FIXED
    }

    /** A list of the API to choose from. */
    public record Choices(String api, String value, String label) {
        static final Choices NONE = new Choices("", "", "");
    }

    private static Input of(String label, String path, Sort sort, String value) {
        return new Input(label, path, sort, value, "", List.of(), Choices.NONE);
    }

    public static Input text(String label, String path, String value) {
        return of(label, path, Sort.TEXT, value);
    }

    public static Input inPath(String label, String name, String value) {
        return of(label, name, Sort.PATH, value);
    }

    public static Input removable(String label, String path) {
        return of(label, path, Sort.REMOVABLE, "");
    }

    public static Input secret(String label, String path) {
        return of(label, path, Sort.SECRET, "");
    }

    public static Input number(String label, String path, String value) {
        return of(label, path, Sort.NUMBER, value);
    }

    public static Input flag(String label, String path, boolean value) {
        return of(label, path, Sort.FLAG, value ? "true" : "");
    }

    public static Input choice(String label, String path, String... options) {
        return new Input(label, path, Sort.CHOICE, options[0], "", List.of(options), Choices.NONE);
    }

    public static Input many(String label, String path, Choices choices) {
        return new Input(label, path, Sort.MANY, "", "", List.of(), choices);
    }

    public static Input lines(String label, String path, String value) {
        return of(label, path, Sort.LINES, value);
    }

    public static Input addresses(String label, String path, String value) {
        return of(label, path, Sort.ADDRESSES, value);
    }

    public static Input json(String label, String path, String value) {
        return of(label, path, Sort.JSON, value);
    }

    public static Input body(String label, String value) {
        return of(label, "", Sort.BODY, value);
    }

    public static Input fixed(String path, String value) {
        return of("", path, Sort.FIXED, value);
    }

    public Input filledBy(String member) {
        return new Input(label, path, sort, value, member, options, choices);
    }

    /** How the field is called in the form. */
    public String name() {
        return sort == Sort.BODY ? WHOLE : path;
    }
}
