package io.pilothouse.gateway;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Keeps clients from trying passwords of the control plane's own users: no request in their names passes the gateway. */
public final class GatewayOwnUser {
    /** The user that every database has for the control plane. */
    public static final String NAME = "pilothouse";

    /** The user that pipes write as. */
    public static final String OF_PIPES = NAME + "_pipes";

    /** The users in whose names query endpoints ask: one only reads, the other has the rights of the user default. */
    public static final String READER = NAME + "_reader";

    public static final String ADMIN = NAME + "_admin";

    private static final Set<String> NAMES = Set.of(NAME, OF_PIPES, READER, ADMIN);

    private static final Pattern PARAMETER = Pattern.compile("[?&]([^=&]*)=([^&]*)");
    private static final String BASIC = "basic ";

    private GatewayOwnUser() {}

    /** Whether the address names it; an address that cannot be decoded names no user. */
    static boolean inTarget(String target) {
        return PARAMETER
                .matcher(target)
                .results()
                .anyMatch(found -> decoded(found.group(1)).equals("user") && isOwn(decoded(found.group(2))));
    }

    /** The parameters by which an address logs in, in one text; empty if it has none. */
    static String credentialIn(String target) {
        StringBuilder shown = new StringBuilder();
        PARAMETER.matcher(target).results().forEach(found -> {
            String name = decoded(found.group(1));
            if (name.equals("user") || name.equals("password")) {
                shown.append(name).append('=').append(decoded(found.group(2))).append('\n');
            }
        });
        return shown.toString();
    }

    /** Whether a header, its name in lower case, names it. */
    static boolean inHeader(String name, String value) {
        return switch (name) {
            case "x-clickhouse-user" -> isOwn(value);
            case "authorization" ->
                value.toLowerCase(Locale.ROOT).startsWith(BASIC)
                        && isOwn(userOf(value.substring(BASIC.length()).strip()));
            default -> false;
        };
    }

    private static boolean isOwn(String user) {
        return NAMES.contains(user);
    }

    private static String userOf(String pair) {
        try {
            String plain = new String(Base64.getMimeDecoder().decode(pair), StandardCharsets.UTF_8);
            int colon = plain.indexOf(':');
            return colon < 0 ? plain : plain.substring(0, colon);
        } catch (IllegalArgumentException noPair) {
            return "";
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException damaged) {
            return "";
        }
    }
}
