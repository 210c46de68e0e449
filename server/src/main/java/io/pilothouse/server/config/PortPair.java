package io.pilothouse.server.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Two ports that differ: one for HTTPS, one for ClickHouse's own protocol. */
public record PortPair(int https, int nativesecure) {
    private static final int MAX_PORT = 65_535;
    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,4}),([1-9][0-9]{0,4})");

    static PortPair read(String text) throws BadValue {
        Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            PortPair pair = new PortPair(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
            if (pair.https != pair.nativesecure && Math.max(pair.https, pair.nativesecure) <= MAX_PORT) {
                return pair;
            }
        }
        throw new BadValue("must be two ports from 1 to 65535 with a comma between, such as 8443,9440");
    }
}
