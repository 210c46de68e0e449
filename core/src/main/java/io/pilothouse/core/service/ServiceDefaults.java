package io.pilothouse.core.service;

import java.util.Map;

/** Where a service is placed when its request does not say: a provider, and a region for each. */
public record ServiceDefaults(String provider, Map<String, String> regionByProvider) {
    public static final ServiceDefaults STANDARD =
            new ServiceDefaults("aws", Map.of("aws", "us-east-1", "gcp", "us-central1", "azure", "eastus2"));

    public ServiceDefaults {
        regionByProvider = Map.copyOf(regionByProvider);
    }
}
