package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.pipes.wire.Report.Amounts;

/**
 * What a pipe has moved since this process began, how far behind it is, and how much its source keeps for it alone; -1
 * where that is not known.
 */
public record PipeCounters(Pipe pipe, Amounts amounts, long lag, long latencyMillis, long keptBytes, int workers) {}
