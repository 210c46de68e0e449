package io.pilothouse.pipes.worker.aws;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which region of AWS a host is in, by its name; pure. */
public final class AwsRegion {
    private static final Pattern LABEL = Pattern.compile("(?:^|\\.)([a-z]{2,3}(?:-[a-z]+)+-\\d{1,2})(?:\\.|$)");

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

    private AwsRegion() {}

    /** Whether it may be one, and nothing else that would lead elsewhere in an address. */
    public static boolean isOne(String name) {
        return NAME.matcher(name).matches();
    }

    /** The last label that looks like one: those before it are somebody's own. */
    public static Optional<String> of(String host) {
        Matcher matcher = LABEL.matcher(host);
        Optional<String> last = Optional.empty();
        int from = 0;
        while (matcher.find(from)) {
            last = Optional.of(matcher.group(1));
            from = matcher.end(1);
        }
        return last;
    }
}
