package io.pilothouse.http.wire;

import java.util.List;

/** How a listener words its refusals. */
public sealed interface ErrorShape permits EnvelopeErrors, MessageErrors {
    /** The answer for a problem; {@code accept} is what the client said it takes, one entry for each header line. */
    Answer of(Problem problem, List<String> accept);
}
