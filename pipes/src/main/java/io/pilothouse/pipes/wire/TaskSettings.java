package io.pilothouse.pipes.wire;

/** The settings of a connector of ours, as they lie in the configuration that Kafka Connect shows. */
public final class TaskSettings {
    /** The class of the connector. */
    public static final String CONNECTOR = "io.pilothouse.pipes.worker.connect.PilothouseConnector";

    /** Where its tasks reach the control plane: a host and a port. */
    public static final String ADDRESS = "pilothouse.address";

    /** The certificate (PEM) of the authority that the control plane's was signed by. */
    public static final String AUTHORITY = "pilothouse.authority";

    /** What tells the control plane which pipe a task belongs to; good until the pipe stops or changes. */
    public static final String TOKEN = "pilothouse.token";

    /** Which of the connector's tasks one is; the connector writes it. */
    public static final String INDEX = "pilothouse.task";

    private TaskSettings() {}
}
