/** The console: pages for people, made of the same operations as the API and served beside it. */
@NullMarked
package io.pilothouse.console;

import org.jspecify.annotations.NullMarked;
