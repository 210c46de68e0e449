package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeKind;
import java.util.Optional;

/** Where sources are that have no address of their own, if the operator says: {@code kinesis} is that of streams. */
record SourcePlace(Optional<String> kinesis) {
    Tree.Members of(PipeKind kind, Tree.Members source) {
        return switch (kind) {
            case KINESIS ->
                kinesis.map(address -> source.with("address", new Tree.Text(address)))
                        .orElse(source);
            case KAFKA, OBJECT_STORAGE, PUBSUB, POSTGRES, MYSQL, MONGODB, BIGQUERY -> source;
        };
    }
}
