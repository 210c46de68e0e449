package io.pilothouse.console.screen;

import io.pilothouse.http.wire.Verb;
import java.util.List;

/**
 * A form, and the request that it sends.
 *
 * @param name what tells it from the others of its page
 * @param from a path of the API whose answer fills the fields in, or empty
 * @param typed the member of what the page is about that has to be typed, or empty
 * @param shown members of the answer that are shown this once, such as a secret
 * @param then where it leads, which may name members of the answer; empty for back to its page
 */
public record Form(
        String name,
        String label,
        Verb verb,
        String api,
        List<Input> inputs,
        String from,
        String typed,
        List<String> shown,
        String then) {
    public Form {
        inputs = List.copyOf(inputs);
        shown = List.copyOf(shown);
    }

    public static Form of(String name, String label, Verb verb, String api, Input... inputs) {
        return new Form(name, label, verb, api, List.of(inputs), "", "", List.of(), "");
    }

    public Form filledFrom(String path) {
        return new Form(name, label, verb, api, inputs, path, typed, shown, then);
    }

    public Form typing(String member) {
        return new Form(name, label, verb, api, inputs, from, member, shown, then);
    }

    public Form showing(String... members) {
        return new Form(name, label, verb, api, inputs, from, typed, List.of(members), then);
    }

    public Form leadingTo(String path) {
        return new Form(name, label, verb, api, inputs, from, typed, shown, path);
    }
}
