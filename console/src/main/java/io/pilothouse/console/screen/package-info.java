/** The pages of the console that are lists and forms, as data: what each reads of the API, and what its forms send. */
@NullMarked
package io.pilothouse.console.screen;

import org.jspecify.annotations.NullMarked;
