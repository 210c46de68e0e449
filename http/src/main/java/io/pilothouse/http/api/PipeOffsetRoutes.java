package io.pilothouse.http.api;

import io.pilothouse.core.pipe.progress.PipeOffsetOperations;
import io.pilothouse.core.pipe.progress.PipeOffsets;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.pipe.progress.PipeOffsets.Place;
import io.pilothouse.core.pipe.progress.PipeParts;
import io.pilothouse.core.pipe.progress.PipeSeek;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Request;

/** The operations over HTTP on how far pipes are. What they show moves by itself, and so has no entity tag. */
public record PipeOffsetRoutes(PipeOffsetOperations offsets) {
    public Answer get(Request request) {
        return request.untagged(
                offsets.get(request.checkedPermit(), request.id("serviceId"), request.id("clickPipeId")),
                PipeOffsetRoutes::write);
    }

    public Answer seek(Request request) {
        RequestBody body = request.object();
        PipeSeek.Draft draft = new PipeSeek.Draft(
                body.text("to"),
                body.number("offset"),
                body.text("sequenceNumber"),
                body.text("time"),
                body.texts("partitions"));
        return request.untagged(
                offsets.seek(
                        request.permit(), request.id("serviceId"), request.id("clickPipeId"), draft, request.faults()),
                PipeOffsetRoutes::write);
    }

    private static void write(JsonWriter out, PipeOffsets offsets) {
        out.startObject();
        out.text("seek", offsets.seek());
        out.list("partitions", offsets.partitions(), (each, partition) -> write(each, partition, offsets.parts()));
        out.endObject();
    }

    private static void write(JsonWriter out, PipeOffsets.Partition partition, PipeParts parts) {
        Place place = partition.place();
        PartLag lag = partition.lag();
        out.startObject();
        out.text("partition", partition.partition());
        if (place != null) {
            write(out, place);
        }
        out.text("seek", partition.seek());
        if (lag != null) {
            out.whole(parts.lag(), lag.amount());
            out.time("lagAt", lag.at());
        }
        out.endObject();
    }

    private static void write(JsonWriter out, Place place) {
        switch (place) {
            case Place.Offset offset -> out.whole("offset", offset.next());
            case Place.Through read -> out.text("lastSequenceNumber", read.sequenceNumber());
            case Place.End _ -> out.flag("ended", true);
        }
    }
}
