/** Ingestion pipes and the reverse private endpoints they use, and the runner that moves their data. */
@NullMarked
package io.pilothouse.core.pipe;

import org.jspecify.annotations.NullMarked;
