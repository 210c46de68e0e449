package io.pilothouse.server;

import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells the JDK what this program never needs, before anything asks for it: making it ready would be a fifth of a start.
 */
final class JdkSetup {
    private static final String PROVIDER = "security.provider.";

    private JdkSetup() {}

    static void apply() {
        // Java's own serialization reads nothing here; the HTTP server would look through all jars for what it may.
        System.setProperty("jdk.serialFilter", "!*");
        // No text depends on where the machine stands. The SQLite driver makes a date format, and no use of it.
        System.setProperty("java.locale.providers", "SPI");
        orderProviders();
    }

    /** HMAC and AES are wanted by every start, and whoever looks for them makes all providers before theirs ready. */
    private static void orderProviders() {
        List<String> names = new ArrayList<>();
        for (String name = provider(1); name != null; name = provider(names.size() + 1)) {
            names.add(name);
        }
        if (names.remove("SunJCE")) {
            names.add(1, "SunJCE");
        }
        for (int i = 0; i < names.size(); i++) {
            Security.setProperty(PROVIDER + (i + 1), names.get(i));
        }
    }

    private static @Nullable String provider(int number) {
        return Security.getProperty(PROVIDER + number);
    }
}
