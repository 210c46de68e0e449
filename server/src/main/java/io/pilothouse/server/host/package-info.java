/** This machine as one of several that have databases: its name among them, its services, and how they are told apart. */
@NullMarked
package io.pilothouse.server.host;

import org.jspecify.annotations.NullMarked;
