package io.pilothouse.gateway.name;

import java.util.Locale;

/** Two ports at which every service is reached, each by its name in one domain. */
public record SharedPorts(String domain, int https, int nativesecure) {
    /** What the certificate of these ports has to be for. */
    public String wildcard() {
        return "*." + domain;
    }

    /** Whether a host, which may have a port behind it, is in the same domain as this name and another one. */
    public static boolean isAnother(String host, String name) {
        int colon = host.indexOf(':');
        String called = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
        String bare = called.endsWith(".") ? called.substring(0, called.length() - 1) : called;
        return !bare.equals(name) && bare.endsWith(name.substring(name.indexOf('.')));
    }
}
