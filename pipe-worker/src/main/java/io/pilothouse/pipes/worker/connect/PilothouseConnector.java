package io.pilothouse.pipes.worker.connect;

import io.pilothouse.pipes.wire.TaskSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * A pipe in Kafka Connect, which starts its tasks and moves them among its workers. To Kafka Connect it is a source that
 * has nothing to say: each task is a worker of the pipe and takes its orders from the control plane.
 */
public final class PilothouseConnector extends SourceConnector {
    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    TaskSettings.ADDRESS,
                    ConfigDef.Type.STRING,
                    Importance.HIGH,
                    "Where the control plane takes in tasks: a host and a port")
            .define(
                    TaskSettings.AUTHORITY,
                    ConfigDef.Type.STRING,
                    Importance.HIGH,
                    "The certificate (PEM) of the authority that the control plane's was signed by")
            .define(
                    TaskSettings.TOKEN,
                    ConfigDef.Type.PASSWORD,
                    Importance.HIGH,
                    "What tells the control plane which pipe this is; good until the pipe stops or changes");

    private Map<String, String> settings = Map.of();

    @Override
    public void start(Map<String, String> given) {
        settings = Map.copyOf(given);
    }

    @Override
    public Class<? extends Task> taskClass() {
        return PilothouseTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        List<Map<String, String>> tasks = new ArrayList<>();
        for (int index = 0; index < maxTasks; index++) {
            Map<String, String> task = new HashMap<>(settings);
            task.put(TaskSettings.INDEX, Integer.toString(index));
            tasks.add(task);
        }
        return tasks;
    }

    @Override
    public void stop() {
        // Its tasks are stopped by themselves.
    }

    @Override
    public ConfigDef config() {
        return SETTINGS;
    }

    @Override
    public String version() {
        return version(PilothouseConnector.class);
    }

    /** The version of the jar; of loose classes it is not known. */
    static String version(Class<?> type) {
        String version = type.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
