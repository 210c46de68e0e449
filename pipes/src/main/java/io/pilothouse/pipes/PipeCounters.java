package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.pipes.wire.Report.Amounts;

/** What a pipe has moved since this process began, and how far behind it is; -1 where that is not known. */
public record PipeCounters(Pipe pipe, Amounts amounts, long lag, long latencyMillis, int workers) {}
