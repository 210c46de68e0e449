/** The requests of the API that the console shows: watched as they come, without their secrets, in bounded memory. */
@NullMarked
package io.pilothouse.console.request;

import org.jspecify.annotations.NullMarked;
