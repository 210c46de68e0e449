/** Parts of a service that it has once or not at all, each described by its fields; here are the verbs that all share. */
@NullMarked
package io.pilothouse.core.part;

import org.jspecify.annotations.NullMarked;
