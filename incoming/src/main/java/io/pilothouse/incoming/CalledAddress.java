package io.pilothouse.incoming;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address by which a client called this server, as far as it or a trusted proxy says. Nothing but a host and a port
 * is in the authority, whatever was sent, so that it can be shown to that client again.
 */
public record CalledAddress(String scheme, String authority) {
    private static final int MAX_LENGTH = 255;
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*)|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?");

    /** What the client itself says in its {@code Host}; empty unless that names one host. */
    public static Optional<CalledAddress> of(boolean secure, List<String> host) {
        return authority(host).map(name -> new CalledAddress(secure ? "https" : "http", name));
    }

    /** The same with the word of the nearest proxy, which comes last; what it does not say is as the connection is. */
    public static Optional<CalledAddress> behindProxy(boolean secure, List<String> host, ProxyFields fields) {
        String scheme = fields.said(fields.forwarded().isEmpty() ? fields.proto() : fields.forwarded(), "proto")
                .orElse("");
        boolean known = scheme.equalsIgnoreCase("https") || scheme.equalsIgnoreCase("http");
        List<String> said =
                fields.said(fields.forwarded().isEmpty() ? fields.host() : fields.forwarded(), "host").stream()
                        .toList();
        return of(
                known ? scheme.equalsIgnoreCase("https") : secure,
                authority(said).isPresent() ? said : host);
    }

    /** The lines of {@code Forwarded}, {@code X-Forwarded-Proto} and {@code X-Forwarded-Host}. */
    public record ProxyFields(List<String> forwarded, List<String> proto, List<String> host) {
        public ProxyFields {
            forwarded = List.copyOf(forwarded);
            proto = List.copyOf(proto);
            host = List.copyOf(host);
        }

        private Optional<String> said(List<String> lines, String parameter) {
            if (lines.isEmpty()) {
                return Optional.empty();
            }
            String line = lines.getLast();
            String last = line.substring(line.lastIndexOf(',') + 1).strip();
            return forwarded.isEmpty() ? Optional.of(last) : parameter(last, parameter);
        }

        private static Optional<String> parameter(String element, String name) {
            Matcher matcher = Pattern.compile(
                            "(?:^|;)\\s*" + name + "\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;\"]*))", Pattern.CASE_INSENSITIVE)
                    .matcher(element);
            return matcher.find()
                    ? Optional.of(matcher.group(1) == null ? matcher.group(2) : matcher.group(1))
                    : Optional.empty();
        }
    }

    private static Optional<String> authority(List<String> lines) {
        return lines.size() == 1
                        && lines.getFirst().length() <= MAX_LENGTH
                        && AUTHORITY.matcher(lines.getFirst()).matches()
                ? Optional.of(lines.getFirst())
                : Optional.empty();
    }
}
