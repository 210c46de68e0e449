package io.pilothouse.core.service;

import static io.pilothouse.core.service.Given.CLOUD;
import static io.pilothouse.core.service.Given.SEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Walks every row of the contract's create table (4.1 and section 8) against the rule book, naming the row that fails. */
class SeedTableTest {
    private static final Organization ENTERPRISE = Given.enterprise();
    private static final Organization UNPAID = Given.organization(OrganizationTier.SCALE, false);
    private static final Organization BASIC = Given.organization(OrganizationTier.BASIC, true);
    private static final Service PRIMARY = Given.service();
    private static final UUID BACKUP = UUID.fromString("33333333-3333-4333-8333-333333333333");

    /** One request of the table: the fields, where it is made, and the field that must be at fault (or none). */
    private record Row(String field, Map<String, Object> fields, Organization organization, boolean allowed) {}

    private static final List<Row> ROWS = rows();

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        allow(rows, "name", "a", "A 9", "x".repeat(50), "Größe 1", "tab\tname");
        deny(rows, "name", "", "   ", "x".repeat(51), "with-hyphen", "under_score", "dot.", "semi;colon");
        allow(rows, "provider", "aws", "gcp", "azure");
        deny(rows, "provider", "", "AWS", "oracle");
        for (String region : List.of(
                "ap-northeast-1 ap-south-1 ap-southeast-1 ap-southeast-2 eu-central-1 eu-west-1 eu-west-2 me-central-1 "
                        + "us-east-1 us-east-2 us-west-2 us-east1 us-central1 europe-west4 asia-southeast1 eastus "
                        + "eastus2 westus3 germanywestcentral")) {
            allow(rows, "region", (Object[]) region.split(" "));
        }
        deny(rows, "region", "", "us-east", "ca-central-1", "centralus");
        denyWith(rows, "region", "eastus", Map.of("provider", "aws"));
        denyWith(rows, "region", "us-east-1", Map.of("provider", "gcp"));
        allow(
                rows,
                "tier",
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
                "dedicated_standard_n2d_standard_64_24SSD");
        deny(rows, "tier", "", "Production", "dedicated");
        denyWith(rows, "tier", "development", Map.of("provider", "azure"));
        allow(rows, "ipAccessList", List.of(), List.of(entry("0.0.0.0/0"), entry("2001:db8::/32"), entry("192.0.2.7")));
        memory(rows, "TotalMemoryGb", 24, 1068, 12, 360);
        memory(rows, "ReplicaMemoryGb", 8, 356, 4, 120);
        allow(rows, "numReplicas", 2, 3, 20);
        deny(rows, "numReplicas", 0, 1, 21, 2.5, -3);
        rows.add(new Row("numReplicas", Map.of("numReplicas", 1), BASIC, true));
        rows.add(new Row("numReplicas", Map.of("numReplicas", 2), BASIC, false));
        allow(rows, "idleScaling", true, false);
        allow(rows, "idleTimeoutMinutes", 5, 6, 1440);
        deny(rows, "idleTimeoutMinutes", 4, 0, -5, 5.5);
        deny(rows, "isReadonly", true);
        allow(rows, "isReadonly", false);
        deny(rows, "dataWarehouseId", "44444444-4444-4444-8444-444444444444", "");
        deny(rows, "backupId", BACKUP);
        allow(rows, "encryptionKey", "arn:aws:kms:eu-west-1:1:key/k");
        allow(rows, "encryptionKey", "x".repeat(8192));
        deny(rows, "encryptionKey", "", "x".repeat(8193));
        allow(rows, "encryptionAssumedRoleIdentifier", "arn:aws:iam::1:role/r");
        deny(rows, "encryptionAssumedRoleIdentifier", " ");
        allow(rows, "privateEndpointIds", List.of("vpce-1"));
        allow(rows, "privatePreviewTermsChecked", true, false);
        allow(rows, "releaseChannel", "slow", "default", "fast");
        deny(rows, "releaseChannel", "", "regular");
        denyWith(rows, "releaseChannel", "fast", Map.of("tier", "development"));
        for (int gb : List.of(48, 116, 172, 232)) {
            rows.add(new Row("byocId", byoc(gb, gb), ENTERPRISE, true));
        }
        rows.add(new Row("minReplicaMemoryGb", byoc(8, 48), ENTERPRISE, false));
        rows.add(new Row("maxReplicaMemoryGb", byoc(48, 120), ENTERPRISE, false));
        rows.add(new Row("minReplicaMemoryGb", Map.of("byocId", "byoc-1"), ENTERPRISE, false));
        rows.add(
                new Row("maxReplicaMemoryGb", Map.of("byocId", "byoc-1", "minReplicaMemoryGb", 48), ENTERPRISE, false));
        denyWith(rows, "byocId", "byoc-2", Map.of("minReplicaMemoryGb", 48, "maxReplicaMemoryGb", 48));
        allow(rows, "hasTransparentDataEncryption", true, false);
        rows.add(new Row("hasTransparentDataEncryption", Map.of("hasTransparentDataEncryption", true), BASIC, false));
        allow(rows, "endpoints", List.of(), List.of(new EndpointSwitch("mysql", true)));
        allow(
                rows,
                "profile",
                "v1-default",
                "v1-highmem-xs",
                "v1-highmem-s",
                "v1-highmem-m",
                "v1-highmem-l",
                "v1-highmem-xl",
                "v1-highcpu-s",
                "v1-highcpu-m",
                "v1-highcpu-l",
                "v1-highcpu-xl");
        deny(rows, "profile", "", "v2-default");
        rows.add(new Row("profile", Map.of("profile", "v1-default"), UNPAID, false));
        allow(rows, "complianceType", "hipaa", "pci");
        deny(rows, "complianceType", "", "gdpr");
        return rows;
    }

    private static void memory(List<Row> rows, String field, int min, int max, int step, int unpaid) {
        for (String end : List.of("min", "max")) {
            String name = end + field;
            allow(rows, name, min, min + step, max);
            deny(rows, name, min - step, max + step, min + step / 2, -min, 0);
            rows.add(new Row(name, Map.of(name, unpaid), UNPAID, true));
            rows.add(new Row(name, Map.of(name, unpaid + step), UNPAID, false));
            denyWith(rows, name, min, Map.of("tier", "development"));
        }
    }

    @TestFactory
    Stream<DynamicTest> everyRowOfTheCreateTableHolds() {
        return ROWS.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.field() + (row.allowed() ? " allows " : " refuses ") + row.fields() + " in "
                                + row.organization().tier(),
                        () -> {
                            List<Fault> faults = Given.design(row.fields(), row.organization())
                                    .faults();
                            if (row.allowed()) {
                                assertThat(faults).isEmpty();
                            } else {
                                assertThat(faults).extracting(Fault::path).contains(row.field());
                                assertThat(faults)
                                        .allSatisfy(fault ->
                                                assertThat(fault.message()).isNotBlank());
                            }
                        }));
    }

    @Test
    void everyFieldOfTheCreateTableHasARow() {
        List<String> table =
                List.of(("name provider region tier ipAccessList minTotalMemoryGb maxTotalMemoryGb minReplicaMemoryGb"
                                + " maxReplicaMemoryGb numReplicas idleScaling idleTimeoutMinutes isReadonly dataWarehouseId"
                                + " backupId encryptionKey encryptionAssumedRoleIdentifier privateEndpointIds"
                                + " privatePreviewTermsChecked releaseChannel byocId hasTransparentDataEncryption endpoints"
                                + " profile complianceType")
                        .split(" "));
        TreeSet<String> walked = new TreeSet<>();
        ROWS.forEach(row -> walked.add(row.field()));
        assertThat(walked).containsExactlyInAnyOrderElementsOf(table);
    }

    @Test
    void everyLimitOfSectionEightIsInTheSeedsRuleBook() {
        assertThat(SEED.serviceName().maxLength()).isEqualTo(50);
        assertThat(RuleBook.TOTAL_MEMORY_GB).isEqualTo(new NumberRule(24, 1068, 12));
        assertThat(RuleBook.REPLICA_MEMORY_GB).isEqualTo(new NumberRule(8, 356, 4));
        assertThat(RuleBook.MAX_UNPAID_REPLICA_MEMORY_GB * 3).isEqualTo(360);
        assertThat(RuleBook.REPLICAS).isEqualTo(new NumberRule(1, 20, 1));
        assertThat(SEED.firstServiceReplicas()).isEqualTo(2);
        assertThat(RuleBook.IDLE_TIMEOUT_MINUTES.min()).isEqualTo(5);
        assertThat(RuleBook.BYOC_REPLICA_MEMORY_GB.numbers()).containsExactly(48, 116, 172, 232);
        assertThat(SEED.pipeReplicas()).isEqualTo(new NumberRule(1, 10, 1));
        assertThat(RuleBook.PIPE_CONCURRENCY).isEqualTo(new NumberRule(0, 34, 1));
        assertThat(RuleBook.PIPE_CPU_MILLICORES).isEqualTo(new NumberRule(125, 2000, 1));
        assertThat(RuleBook.PIPE_MEMORY_GB).isEqualTo(new NumberRule(0.5, 8, 0));
    }

    @Test
    void theCloudEditionIsWiderWhereItSaysSoAndNowhereElse() {
        assertThat(faults(Map.of("name", "[e2e]-basic-1.13.0"), BASIC)).isEmpty();
        assertThat(faults(Map.of("name", "bell\u0007"), BASIC)).containsExactly("name");
        assertThat(faults(Map.of("name", "x".repeat(51)), BASIC)).containsExactly("name");
        assertThat(faults(Map.of("region", "ca-central-1"), BASIC)).isEmpty();
        assertThat(faults(Map.of("numReplicas", 1), ENTERPRISE)).isEmpty();
        assertThat(faults(Map.of("numReplicas", 5, "profile", "v1-default"), BASIC))
                .isEmpty();
        assertThat(faults(Map.of("numReplicas", 21), ENTERPRISE)).containsExactly("numReplicas");
        assertThat(CLOUD.pipeReplicas().max()).isEqualTo(40);
    }

    @Test
    void everyFaultOfARequestIsReported() {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("name", "no_good");
        fields.put("provider", "oracle");
        fields.put("numReplicas", 0);
        fields.put("idleTimeoutMinutes", 1);
        fields.put("releaseChannel", "hourly");
        assertThat(Given.design(fields, ENTERPRISE).faults())
                .extracting(Fault::path)
                .containsExactlyInAnyOrder("name", "provider", "numReplicas", "idleTimeoutMinutes", "releaseChannel");
    }

    @Test
    void aSecondServiceOfAWarehouseMayHaveOneReplicaAndBeReadOnly() {
        Map<String, Object> fields =
                Map.of("dataWarehouseId", PRIMARY.warehouse().id().toString(), "numReplicas", 1, "isReadonly", true);
        Given.Designed second = Given.design(fields, ENTERPRISE, SEED, PRIMARY, null);
        assertThat(second.faults()).isEmpty();
        assertThat(second.service().warehouse())
                .isEqualTo(new Warehouse(PRIMARY.warehouse().id(), false, true));
    }

    @Test
    void aServiceMustBeWhereItsWarehouseIs() {
        Map<String, Object> fields =
                Map.of("dataWarehouseId", PRIMARY.warehouse().id().toString(), "region", "eu-west-1");
        assertThat(Given.design(fields, ENTERPRISE, SEED, PRIMARY, null).faults())
                .extracting(Fault::path)
                .containsExactly("dataWarehouseId");
        Map<String, Object> elsewhere = Map.of("dataWarehouseId", "w", "provider", "gcp");
        assertThat(Given.design(elsewhere, ENTERPRISE, SEED, PRIMARY, null).faults())
                .extracting(Fault::path)
                .containsExactly("dataWarehouseId");
    }

    private static final BackupOrigin ORIGIN = new BackupOrigin(Given.SERVICE, BACKUP);

    private static Given.Designed restored(Map<String, Object> more, String region, @Nullable String tier) {
        Map<String, Object> fields = new HashMap<>(more);
        fields.put("backupId", BACKUP);
        return Given.design(fields, ENTERPRISE, SEED, null, new ServiceDesign.Origin(ORIGIN, region, tier));
    }

    @Test
    void aBackupOfTheSameRegionAndTierIsTaken() {
        Given.Designed restored = restored(Map.of("tier", "production"), "us-east-1", "production");
        assertThat(restored.faults()).isEmpty();
        assertThat(restored.service().fixed().origin()).isEqualTo(ORIGIN);
        assertThat(restored(Map.of(), "us-east-1", null).faults()).isEmpty();
    }

    @Test
    void aBackupOfAnotherRegionOrTierIsRefused() {
        assertThat(restored(Map.of("tier", "production", "region", "us-east-1"), "eu-west-1", null)
                        .faults())
                .containsExactly(
                        new Fault("backupId", "is a backup in eu-west-1, and the service must be there too"),
                        new Fault(
                                "backupId", "is a backup of a service without a tier, and the new one must be so too"));
        assertThat(restored(Map.of("tier", "dedicated_high_mem"), "us-east-1", "production")
                        .faults())
                .containsExactly(new Fault(
                        "backupId", "is a backup of a service of the tier production, and the new one must be so too"));
    }

    @Test
    void aWarehouseOrABackupIsOfUseOnlyAlone() {
        Map<String, Object> both = Map.of("dataWarehouseId", "w", "backupId", BACKUP);
        assertThat(Given.design(both, ENTERPRISE, SEED, PRIMARY, new ServiceDesign.Origin(ORIGIN, "us-east-1", null))
                        .faults())
                .extracting(Fault::path)
                .containsExactly("backupId");
        Service leaving = PRIMARY.withWish(Wish.DELETE, Given.NOON);
        assertThat(Given.design(Map.of("dataWarehouseId", "w"), ENTERPRISE, SEED, leaving, null)
                        .faults())
                .containsExactly(new Fault("dataWarehouseId", "is a warehouse whose primary service is being deleted"));
    }

    @Test
    void aPlaceThatIsWrongByItselfIsReportedOnce() {
        for (String field : List.of("provider", "region")) {
            assertThat(restored(Map.of(field, "moon"), "eu-west-1", null).faults())
                    .extracting(Fault::path)
                    .containsExactly(field);
            assertThat(Given.design(Map.of(field, "moon", "dataWarehouseId", "w"), ENTERPRISE, SEED, PRIMARY, null)
                            .faults())
                    .extracting(Fault::path)
                    .containsExactly(field);
        }
    }

    @Test
    void aBackupSaysWhatIsLeftOut() {
        Placement placement =
                restored(Map.of(), "europe-west4", "production").service().placement();
        assertThat(placement.provider()).isEqualTo("gcp");
        assertThat(placement.region()).isEqualTo("europe-west4");
        assertThat(placement.tier()).isEqualTo("production");
        assertThat(restored(Map.of("minReplicaMemoryGb", 16), "us-east-1", "development")
                        .faults())
                .as("a backup of a service of fixed size makes one")
                .extracting(Fault::path)
                .containsExactly("minReplicaMemoryGb");
        assertThat(restored(Map.of("provider", "aws"), "europe-west4", null).faults())
                .extracting(Fault::path)
                .containsExactly("backupId");
    }

    @Test
    void aBackupIsNotBlamedForARegionOrTierThatDoesNotExist() {
        Map<String, Object> nowhere = Map.of("tier", "grand", "region", "nowhere");
        assertThat(restored(nowhere, "us-east-1", null).faults())
                .extracting(Fault::path)
                .containsExactlyInAnyOrder("tier", "region");
    }

    private static List<String> faults(Map<String, Object> fields, Organization organization) {
        return Given.design(fields, organization, CLOUD, null, null).faults().stream()
                .map(Fault::path)
                .toList();
    }

    private static Map<String, Object> byoc(int minGb, int maxGb) {
        return Map.of("byocId", "byoc-1", "minReplicaMemoryGb", minGb, "maxReplicaMemoryGb", maxGb);
    }

    private static IpAccessEntry entry(String source) {
        return new IpAccessEntry(source, null);
    }

    private static void allow(List<Row> rows, String field, Object... values) {
        for (Object value : values) {
            rows.add(new Row(field, Map.of(field, value), ENTERPRISE, true));
        }
    }

    private static void deny(List<Row> rows, String field, Object... values) {
        for (Object value : values) {
            rows.add(new Row(field, Map.of(field, value), ENTERPRISE, false));
        }
    }

    private static void denyWith(List<Row> rows, String field, Object value, Map<String, Object> others) {
        Map<String, Object> fields = new TreeMap<>(others);
        fields.put(field, value);
        rows.add(new Row(field, fields, ENTERPRISE, false));
    }
}
