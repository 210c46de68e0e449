package io.pilothouse.server;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where clients on this machine reach the listeners, without a slash at the end.
 *
 * @param console whether browsers find the console under {@code base}
 * @param authority the certificate that they have to trust, where it is the program's own
 */
record Urls(String base, String alerts, String query, String admin, boolean console, Optional<Path> authority) {}
