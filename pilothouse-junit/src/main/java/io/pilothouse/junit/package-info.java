/** For tests on JUnit Jupiter: a Pilothouse for a whole run, and an organization of its own for each test. */
@NullMarked
package io.pilothouse.junit;

import org.jspecify.annotations.NullMarked;
