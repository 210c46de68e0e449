package io.pilothouse.http.api;

import io.pilothouse.core.figure.DatabaseFigures;
import io.pilothouse.core.figure.FigureOperations;
import io.pilothouse.core.figure.FigureRound;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.PagesAhead;
import io.pilothouse.http.wire.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What services say about themselves, in the format of Prometheus. Only databases that run are asked, while the request
 * waits and not for long: the one operation that does so, because figures of the past are no use to those who watch.
 */
public final class PrometheusRoutes {
    private static final int OK = 200;

    private final FigureOperations operations;
    private final DatabaseFigures databases;
    private final PipeProgress pipes;
    private final Executor threads;

    public PrometheusRoutes(
            FigureOperations operations, DatabaseFigures databases, PipeProgress pipes, Executor threads) {
        this.operations = operations;
        this.databases = databases;
        this.pipes = pipes;
        this.threads = threads;
    }

    public Answer ofService(Request request) {
        boolean filtered = request.query().flag("filtered_metrics", false);
        Service service = operations.get(request.checkedPermit(), request.id("serviceId"));
        PrometheusText text = new PrometheusText(pipes, filtered);
        String whole = text.services(new FigureRound(databases, threads).read(List.of(service)), true)
                + text.pipes(operations.pipes(List.of(service)), true);
        StringBuilder all = new StringBuilder(whole);
        text.families(all::append);
        return Answer.text(OK, MetricsText.MEDIA_TYPE, all.toString());
    }

    /** Sent while it is read: what is kept meanwhile is what running databases said, and nothing of other services. */
    public Answer ofOrganization(Request request) {
        boolean filtered = request.query().flag("filtered_metrics", false);
        Permit permit = request.checkedPermit();
        Page<Service> first = operations.page(permit, null, Listing.PAGE);
        return new Answer(
                OK, new Answer.Streamed(MetricsText.MEDIA_TYPE, out -> write(out, permit, first, filtered)), List.of());
    }

    /**
     * Where each service is scraped. What Prometheus reads here it takes as the truth about what there is, so a list
     * that breaks off is no answer at all.
     */
    public Answer discovery(Request request) {
        boolean filtered = request.query().flag("filtered_metrics", true);
        Permit permit = request.checkedPermit();
        PrometheusTargetJson target = new PrometheusTargetJson(request.calledAddress(), filtered);
        return Listing.bare(
                new PagesAhead<>(threads, after -> operations.lasting(permit, after, Listing.PAGE)), target::write);
    }

    private void write(OutputStream out, Permit permit, Page<Service> first, boolean filtered) {
        PrometheusText text = new PrometheusText(pipes, filtered);
        FigureRound round = new FigureRound(databases, threads);
        boolean begins = true;
        for (Page<Service> page = first; page != null; page = after(permit, page)) {
            send(out, text.services(round.read(page.items()), begins));
            begins = false;
        }
        begins = true;
        for (Page<Service> page = first; page != null; page = after(permit, page)) {
            String pipes = text.pipes(operations.pipes(page.items()), begins);
            begins = begins && pipes.isEmpty();
            send(out, pipes);
        }
        text.families(family -> send(out, family));
    }

    private @Nullable Page<Service> after(Permit permit, Page<Service> page) {
        return page.next() == null ? null : operations.page(permit, page.next(), Listing.PAGE);
    }

    private static void send(OutputStream out, String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
