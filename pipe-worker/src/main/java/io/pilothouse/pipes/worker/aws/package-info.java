/** Requests to services of AWS, and what speaks like them. */
@NullMarked
package io.pilothouse.pipes.worker.aws;

import org.jspecify.annotations.NullMarked;
