package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.Span;

/** Kept records that are read again together. For one thread. */
final class ReplayStretch extends Stretch {
    private final Span span;
    private final String token;

    ReplayStretch(ErrorPortion portion, String token) {
        this.span = portion.span();
        this.token = token;
        portion.rows().forEach(row -> take(new KeptRecord(row), row.raw().length, 0));
    }

    @Override
    public Span span() {
        return span;
    }

    @Override
    public String token() {
        return token;
    }

    @Override
    String title() {
        return "the error table";
    }

    @Override
    public boolean isPending() {
        return true;
    }
}
