package io.pilothouse.server;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where clients on this machine reach the listeners, without a slash at the end.
 *
 * @param console where browsers find the console, if it is shown
 * @param authority the certificate that they have to trust, where it is the program's own
 */
record Urls(
        String base, String alerts, String query, String admin, Optional<String> console, Optional<Path> authority) {}
