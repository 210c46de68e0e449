package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Tree;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The connection string of an Azure source as clients may see it: the account and the places, and no key. */
final class PipeConnectionString {
    private static final String NAME = "connectionString";
    private static final String BLANKED = "***";
    /** Everything else might be a key. */
    private static final Set<String> OPEN = Set.of(
            "defaultendpointsprotocol",
            "endpointsuffix",
            "accountname",
            "blobendpoint",
            "queueendpoint",
            "fileendpoint",
            "tableendpoint");

    private PipeConnectionString() {}

    /** The shown members of a source with the string as it follows from the secret ones. */
    static Tree.Members shown(Tree.Members open, Tree.Members secret) {
        return open.with(
                NAME,
                secret.text(NAME).map(text -> new Tree.Text(blanked(text))).orElse(null));
    }

    static Tree.Members hidden(Tree.Members shown) {
        return shown.with(NAME, null);
    }

    /** A request without the string that it sends back as it was shown, which asks for no change. */
    static Tree.Members changed(Tree.Members given, Tree.Members shown) {
        return given.has(NAME) && given.find(NAME).equals(shown.find(NAME)) ? given.with(NAME, null) : given;
    }

    static String blanked(String text) {
        return Arrays.stream(text.split(";", -1))
                .map(PipeConnectionString::blankedPart)
                .collect(Collectors.joining(";"));
    }

    private static String blankedPart(String part) {
        int equals = part.indexOf('=');
        if (equals < 0) {
            return part.isBlank() ? part : BLANKED;
        }
        String name = part.substring(0, equals);
        String value = part.substring(equals + 1);
        // An endpoint can carry a signature or a login in its address.
        boolean open = OPEN.contains(name.strip().toLowerCase(Locale.ROOT))
                && value.indexOf('?') < 0
                && value.indexOf('@') < 0;
        return name + "=" + (open ? value : BLANKED);
    }
}
