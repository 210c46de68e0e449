package io.pilothouse.core.setting;

import io.pilothouse.core.service.Service;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The settings that are in force for the users of a service's database: the program's, and over them the service's. */
public final class ServiceSettings {
    /** As many as the whole database takes, so that by itself it stands in nobody's way. */
    public static final int MAX_QUERIES = 200;

    private static final long BYTES_IN_A_GIGABYTE = 1L << 30;

    private ServiceSettings() {}

    /** By name. */
    public static SortedMap<String, String> inForce(Service service) {
        return inForce(memoryBytes(service), service.want().settings());
    }

    /** The same for a database with that memory. */
    public static SortedMap<String, String> inForce(long memoryBytes, List<Service.Setting> settings) {
        SortedMap<String, String> all = new TreeMap<>();
        all.put("max_concurrent_queries_for_user", Integer.toString(MAX_QUERIES));
        all.put("max_memory_usage", Long.toString(memoryBytes));
        settings.forEach(setting -> all.put(setting.name(), setting.value()));
        return Collections.unmodifiableSortedMap(all);
    }

    /** The memory of one replica. */
    public static long memoryBytes(Service service) {
        return service.scalingNow().maxReplicaMemoryGb() * BYTES_IN_A_GIGABYTE;
    }
}
