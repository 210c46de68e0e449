package io.pilothouse.incoming.tls;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses a host as text without ever asking a name service. */
public final class HostName {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final int MAX_NAME_LENGTH = 253;

    private HostName() {}

    /** The address, if the text is one; empty for a name. */
    public static Optional<InetAddress> literal(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException notAnAddress) {
            return Optional.empty();
        }
    }

    /** The host as certificates and clients write it, or a refusal with a sentence. */
    public static String canonical(String text) {
        if (literal(text).isPresent()) {
            return text;
        }
        String name = text.toLowerCase(Locale.ROOT);
        boolean wellFormed = name.length() <= MAX_NAME_LENGTH
                && Pattern.compile("\\.")
                        .splitAsStream(name)
                        .allMatch(label -> LABEL.matcher(label).matches());
        if (!wellFormed || name.endsWith(".") || Character.isDigit(name.charAt(name.lastIndexOf('.') + 1))) {
            throw new IllegalArgumentException(
                    "The gateway's host must be a DNS name or an IP address, and \"" + text + "\" is neither.");
        }
        return name;
    }
}
