package io.pilothouse.core.base;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every limit and enumeration of the contract, as data, in this one place; two editions differ where they say so. */
public record RuleBook(
        Edition edition,
        TextRule serviceName,
        TextRule organizationName,
        TextRule keyName,
        Map<String, List<String>> regionsByProvider,
        List<String> tiers,
        List<String> releaseChannels,
        List<String> profiles,
        List<String> complianceTypes,
        List<String> fixedProtocols,
        List<String> switchableProtocols,
        NumberRule totalMemoryGb,
        NumberRule replicaMemoryGb,
        int unpaidReplicaMemoryGb,
        List<Integer> byocReplicaMemoryGb,
        NumberRule replicas,
        int firstServiceReplicas,
        NumberRule idleTimeoutMinutes,
        boolean organizationTiersLimit,
        int ipAccessEntries,
        int descriptionLength,
        int identifierLength,
        int listEntries,
        NumberRule pipeReplicas,
        NumberRule pipeConcurrency,
        NumberRule pipeReplicaCpuMillicores,
        NumberRule pipeReplicaMemoryGb,
        NumberRule backupPeriodInHours,
        NumberRule backupRetentionPeriodInHours) {

    private static final Map<String, List<String>> SEED_REGIONS = Map.of(
            "aws",
            List.of(
                    "ap-northeast-1",
                    "ap-south-1",
                    "ap-southeast-1",
                    "ap-southeast-2",
                    "eu-central-1",
                    "eu-west-1",
                    "eu-west-2",
                    "me-central-1",
                    "us-east-1",
                    "us-east-2",
                    "us-west-2"),
            "gcp",
            List.of("us-east1", "us-central1", "europe-west4", "asia-southeast1"),
            "azure",
            List.of("eastus", "eastus2", "westus3", "germanywestcentral"));

    private static final Map<String, List<String>> CLOUD_REGIONS = Map.of(
            "aws",
            List.of(
                    "ap-northeast-1",
                    "ap-northeast-2",
                    "ap-south-1",
                    "ap-southeast-1",
                    "ap-southeast-2",
                    "ca-central-1",
                    "eu-central-1",
                    "eu-west-1",
                    "eu-west-2",
                    "il-central-1",
                    "me-central-1",
                    "us-east-1",
                    "us-east-2",
                    "us-west-2"),
            "gcp",
            List.of("us-east1", "us-central1", "europe-west2", "europe-west4", "asia-southeast1", "asia-northeast1"),
            "azure",
            List.of("eastus", "eastus2", "westus3", "germanywestcentral", "centralus"));

    public static RuleBook of(Edition edition) {
        boolean seed = edition == Edition.SEED;
        return new RuleBook(
                edition,
                new TextRule(50, seed ? TextRule.Alphabet.LETTERS_DIGITS_WHITESPACE : TextRule.Alphabet.PRINTABLE),
                new TextRule(255, TextRule.Alphabet.PRINTABLE),
                new TextRule(255, TextRule.Alphabet.PRINTABLE),
                seed ? SEED_REGIONS : CLOUD_REGIONS,
                List.of(
                        "development",
                        "production",
                        "dedicated_high_mem",
                        "dedicated_high_cpu",
                        "dedicated_standard",
                        "dedicated_standard_n2d_standard_4",
                        "dedicated_standard_n2d_standard_8",
                        "dedicated_standard_n2d_standard_32",
                        "dedicated_standard_n2d_standard_128",
                        "dedicated_standard_n2d_standard_32_16SSD",
                        "dedicated_standard_n2d_standard_64_24SSD"),
                List.of("slow", "default", "fast"),
                List.of(
                        "v1-default",
                        "v1-highmem-xs",
                        "v1-highmem-s",
                        "v1-highmem-m",
                        "v1-highmem-l",
                        "v1-highmem-xl",
                        "v1-highcpu-s",
                        "v1-highcpu-m",
                        "v1-highcpu-l",
                        "v1-highcpu-xl"),
                List.of("hipaa", "pci"),
                List.of("https", "nativesecure"),
                List.of("mysql"),
                new NumberRule(24, 1068, 12),
                new NumberRule(8, 356, 4),
                120,
                List.of(48, 116, 172, 232),
                new NumberRule(1, 20, 1),
                seed ? 2 : 1,
                new NumberRule(5, Integer.MAX_VALUE, 1),
                seed,
                1000,
                255,
                512,
                1000,
                new NumberRule(1, seed ? 10 : 40, 1),
                new NumberRule(0, 34, 1),
                new NumberRule(125, 2000, 1),
                new NumberRule(0.5, 8, 0),
                new NumberRule(1, 168, 1),
                new NumberRule(24, 1080, 24));
    }

    public Optional<String> providerOf(String region) {
        return regionsByProvider.entrySet().stream()
                .filter(entry -> entry.getValue().contains(region))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Adds a fault unless the word is one of those allowed. */
    public static void requireOneOf(List<String> words, String path, String word, Faults faults) {
        if (!words.contains(word)) {
            faults.add(path, "must be one of " + String.join(", ", words));
        }
    }
}
