package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeKind;
import java.util.Optional;
import java.util.Set;

/**
 * The sources that the contract has and no worker reads yet, each with a sentence for the pipe's owner; pure.
 *
 * @param takesRoles whether the operator gave this server an AWS identity to take on roles with
 */
record Unserved(boolean takesRoles) {
    private static final Set<String> WITHOUT_SCHEMA = Set.of("JSONEachRow", "CSV");
    private static final String ROLE = "IAM_ROLE";
    private static final String WITH_A_KEY = "IAM_USER with an access key";

    /** Why nothing here reads such a source; empty if something does. */
    Optional<String> reason(PipeKind kind, Tree.Members source) {
        return switch (kind) {
            case OBJECT_STORAGE -> objectStorage(source);
            case KAFKA -> kafka(source);
            case POSTGRES -> postgres(source);
            case KINESIS -> kinesis(source);
            case PUBSUB, MYSQL, MONGODB, BIGQUERY -> Optional.of("No worker of this server reads from " + kind.title());
        };
    }

    private Optional<String> postgres(Tree.Members source) {
        return source.text("authentication").orElse("basic").equals(ROLE)
                ? role("basic with a password")
                : Optional.empty();
    }

    private Optional<String> kafka(Tree.Members source) {
        String format = source.text("format").orElse("JSONEachRow");
        String authentication = source.text("authentication").orElse("");
        if (!WITHOUT_SCHEMA.contains(format) && source.members("schemaRegistry").isEmpty()) {
            return Optional.of("Messages of " + format + " cannot be read without a schemaRegistry.");
        }
        return authentication.equals(ROLE) ? role("SCRAM-SHA-512 or MUTUAL_TLS") : Optional.empty();
    }

    private Optional<String> kinesis(Tree.Members source) {
        String format = source.text("format").orElse("JSONEachRow");
        if (format.equals("AvroConfluent")) {
            return Optional.of("Messages of AvroConfluent cannot be read without a schema registry, which a source of"
                    + " Kinesis cannot name. Avro reads those that bring their schema.");
        }
        return switch (source.text("authentication").orElse("")) {
            case "IAM_USER" -> Optional.empty();
            case ROLE -> role(WITH_A_KEY);
            default -> Optional.of("A stream of Kinesis is read with an access key; use IAM_USER with one.");
        };
    }

    private Optional<String> objectStorage(Tree.Members source) {
        String type = source.text("type").orElse("s3");
        String authentication = source.text("authentication").orElse("");
        Optional<String> role = authentication.equals(ROLE) ? role(WITH_A_KEY) : Optional.empty();
        if (role.isPresent()) {
            return role;
        }
        return source.text("queueUrl")
                .filter(url -> !url.isEmpty() && !type.equals("s3"))
                .map(_ -> "No worker of this server listens"
                        + " to Pub/Sub yet; without queueUrl new files are found by listing.");
    }

    private Optional<String> role(String instead) {
        return takesRoles
                ? Optional.empty()
                : Optional.of(
                        "No worker of this server logs in with IAM_ROLE, because its operator gave it no AWS identity"
                                + " (aws-access-key-id); use " + instead + ".");
    }
}
