package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.scaling.ScalingDraft;
import io.pilothouse.core.scaling.ScalingRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceDesignTest {
    private static final Organization ENTERPRISE = Given.enterprise();

    @Test
    void anEmptyRequestMakesAWholeService() {
        Service service = Given.service();
        assertThat(service.name()).isEqualTo("Service 22222222");
        assertThat(service.placement()).isEqualTo(new Placement("aws", "us-east-1", null, null, null, null));
        assertThat(service.scaling()).isEqualTo(new Scaling(8, 120, 3, null, true, 15));
        assertThat(service.scaling().minTotalMemoryGb()).isEqualTo(24);
        assertThat(service.scaling().maxTotalMemoryGb()).isEqualTo(360);
        assertThat(service.warehouse()).isEqualTo(new Warehouse(Given.SERVICE, true, false));
        assertThat(service.access()).isEqualTo(new Access(List.of(), List.of(), false));
        assertThat(service.details().releaseChannel()).isEqualTo("default");
        assertThat(service.state()).isEqualTo(ServiceState.PROVISIONING);
        assertThat(service.seen().dbVersion()).isEqualTo("25.8");
        assertThat(service.iamRole()).contains(Given.SERVICE.toString());
        assertThat(service.encryptionRoleId()).isNull();
        assertThat(service.scaling().autoscalingMode()).isEqualTo("vertical");
        assertThat(design(Map.of("tags", List.of(new Tag("team", "data"))))
                        .service()
                        .details()
                        .tags())
                .containsExactly(new Tag("team", "data"));
    }

    @Test
    void aRegionAloneImpliesItsProviderAndAProviderItsRegion() {
        assertThat(design(Map.of("region", "europe-west4"))
                        .service()
                        .placement()
                        .provider())
                .isEqualTo("gcp");
        assertThat(design(Map.of("provider", "azure")).service().placement().region())
                .isEqualTo("eastus2");
    }

    @Test
    void aBasicOrganizationGetsOneReplica() {
        assertThat(Given.design(Map.of(), Given.organization(OrganizationTier.BASIC, false))
                        .service()
                        .scaling()
                        .numReplicas())
                .isEqualTo(1);
    }

    @Test
    void aDevelopmentServiceIsOfFixedSizeButMaySleepAsItLikes() {
        Given.Designed made = design(Map.of("tier", "development", "idleScaling", false, "idleTimeoutMinutes", 30));
        assertThat(made.faults()).isEmpty();
        assertThat(made.service().scaling()).isEqualTo(new Scaling(8, 8, 1, null, false, 30));
        assertThat(design(Map.of("tier", "development", "minReplicas", 2, "maxReplicas", 2))
                        .faults())
                .extracting(Fault::path)
                .containsExactly("minReplicas", "maxReplicas");
    }

    @Test
    void totalsAndReplicaMemoryMustSayTheSame() {
        assertThat(design(Map.of("minTotalMemoryGb", 48)).service().scaling().minReplicaMemoryGb())
                .isEqualTo(16);
        assertThat(design(Map.of("minTotalMemoryGb", 48, "minReplicaMemoryGb", 16))
                        .faults())
                .isEmpty();
        assertThat(design(Map.of("minTotalMemoryGb", 48, "minReplicaMemoryGb", 20))
                        .faults())
                .extracting(Fault::path)
                .containsExactly("minTotalMemoryGb");
    }

    @Test
    void oneEndOfTheMemoryRangeMovesTheDefaultOfTheOther() {
        assertThat(design(Map.of("minReplicaMemoryGb", 200)).service().scaling().maxReplicaMemoryGb())
                .isEqualTo(200);
        assertThat(design(Map.of("maxReplicaMemoryGb", 8)).service().scaling().minReplicaMemoryGb())
                .isEqualTo(8);
    }

    @Test
    void theMinimumMustNotBeAboveTheMaximum() {
        assertThat(design(Map.of("minReplicaMemoryGb", 64, "maxReplicaMemoryGb", 32))
                        .faults())
                .extracting(Fault::path)
                .containsExactly("minReplicaMemoryGb");
        assertThat(design(Map.of("minTotalMemoryGb", 96, "maxTotalMemoryGb", 48))
                        .faults())
                .extracting(Fault::path)
                .containsExactly("minTotalMemoryGb");
    }

    @Test
    void aWrongEndIsNotAlsoComparedWithTheOther() {
        assertThat(design(Map.of("minReplicaMemoryGb", 9, "maxReplicaMemoryGb", 8))
                        .faults())
                .extracting(Fault::path)
                .containsExactly("minReplicaMemoryGb");
    }

    @Test
    void replicasScaleHorizontallyBetweenTwoEnds() {
        Given.Designed made = design(horizontal(2, 6));
        assertThat(made.faults()).isEmpty();
        assertThat(made.service().scaling().band()).isEqualTo(new Scaling.Band(2, 6));
        assertThat(made.service().scaling().autoscalingMode()).isEqualTo("horizontal");
        assertThat(design(Map.of("minReplicas", 4, "maxReplicas", 4)).service().scaling())
                .isEqualTo(new Scaling(8, 120, 4, null, true, 15));
    }

    @Test
    void aBandOfOneSizeStaysABandWhenItIsToScale() {
        Map<String, Object> fields = new HashMap<>(horizontal(3, 3));
        fields.put("autoscalingMode", "horizontal");
        assertThat(design(fields).service().scaling().band()).isEqualTo(new Scaling.Band(3, 3));
    }

    @Test
    void aBandMustBeWholeInOrderAndAlone() {
        assertThat(paths(Map.of("minReplicas", 2))).containsExactly("maxReplicas");
        assertThat(paths(Map.of("maxReplicas", 2))).containsExactly("minReplicas");
        assertThat(paths(horizontal(6, 2))).containsExactly("minReplicas");
        assertThat(paths(Map.of("autoscalingMode", "horizontal"))).containsExactly("minReplicas");
        assertThat(paths(Map.of("autoscalingMode", "horizontal", "minReplicas", 99, "maxReplicas", 2)))
                .containsExactly("minReplicas");
        assertThat(paths(Map.of("autoscalingMode", "horizontal", "minReplicas", 2, "maxReplicas", 99)))
                .containsExactly("maxReplicas");
        assertThat(paths(Map.of("autoscalingMode", "sideways"))).containsExactly("autoscalingMode");
        Map<String, Object> both = new HashMap<>(horizontal(2, 6));
        both.put("numReplicas", 3);
        assertThat(paths(both)).containsExactly("numReplicas");
        Map<String, Object> vertical = new HashMap<>(horizontal(2, 6));
        vertical.put("autoscalingMode", "vertical");
        assertThat(paths(vertical)).containsExactly("autoscalingMode");
        assertThat(paths(Map.of("minReplicas", 2, "maxReplicas", 6))).containsExactly("minReplicaMemoryGb");
        assertThat(paths(Map.of("minReplicas", 2, "maxReplicas", 6, "minReplicaMemoryGb", 9)))
                .containsExactly("minReplicaMemoryGb");
        assertThat(paths(Map.of("minReplicas", 2, "maxReplicas", 6, "maxReplicaMemoryGb", 9)))
                .containsExactly("maxReplicaMemoryGb");
    }

    @Test
    void aFaultIsNotReportedTwice() {
        assertThat(paths(Map.of("provider", "oracle", "region", "us-east-1"))).containsExactly("provider");
        assertThat(paths(Map.of("provider", "aws", "region", "us-east-1"))).isEmpty();
        assertThat(paths(Map.of("autoscalingMode", "vertical", "minReplicas", 3, "maxReplicas", 3)))
                .isEmpty();
        assertThat(Given.design(
                                Map.of("provider", "oracle", "dataWarehouseId", "w"),
                                ENTERPRISE,
                                Given.SEED,
                                Given.service(),
                                null)
                        .faults())
                .extracting(Fault::path)
                .containsExactly("provider");
        assertThat(Given.design(
                                Map.of("region", "moon", "dataWarehouseId", "w", "provider", "gcp"),
                                ENTERPRISE,
                                Given.SEED,
                                Given.service(),
                                null)
                        .faults())
                .extracting(Fault::path)
                .containsExactly("region");
        Faults mistyped = new Faults();
        mistyped.add("minReplicaMemoryGb", "must be a number");
        mistyped.add("dataWarehouseId", "must be a string");
        ServiceDesign.Setting setting = new ServiceDesign.Setting(
                ENTERPRISE, null, null, Given.SERVICE, Given.HASHES, Given.DATABASE, Given.NOON);
        new ServiceDesign(Given.SEED, ServiceDefaults.STANDARD, setting, mistyped)
                .of(Given.draft(Map.of("byocId", "byoc-1", "maxReplicaMemoryGb", 48, "isReadonly", true)));
        assertThat(mistyped.list()).hasSize(2);
    }

    @Test
    void aReadOnlyServiceWithAWrongWarehouseHasOneFault() {
        assertThat(paths(Map.of("isReadonly", true, "dataWarehouseId", "nowhere")))
                .containsExactly("dataWarehouseId");
    }

    @Test
    void aServiceIsWhereTheInfrastructureIsThatItNames() {
        Organization own = ENTERPRISE.withByocConfig(
                List.of(new Organization.Byoc("b", "account", "europe-west4", "gcp", null, 0)));
        Map<String, Object> named = Map.of("byocId", "b", "minReplicaMemoryGb", 48, "maxReplicaMemoryGb", 48);
        assertThat(Given.design(named, own).service().placement())
                .returns("europe-west4", Placement::region)
                .returns("gcp", Placement::provider);
        Map<String, Object> elsewhere = new HashMap<>(named);
        elsewhere.put("region", "us-east1");
        assertThat(Given.design(elsewhere, own).faults())
                .extracting(Fault::path)
                .containsExactly("byocId");
        elsewhere.put("region", "moon");
        assertThat(Given.design(elsewhere, own).faults())
                .extracting(Fault::path)
                .containsExactly("region");
    }

    @Test
    void anOrganizationsCoreDumpsAreTheDefaultOfItsServices() {
        Organization dumping = ENTERPRISE.withDetails("Acme", true, List.of());
        assertThat(Given.design(Map.of(), dumping).service().enableCoreDumps()).isTrue();
        assertThat(Given.design(Map.of("enableCoreDumps", false), dumping)
                        .service()
                        .enableCoreDumps())
                .isFalse();
    }

    @Test
    void transparentEncryptionBringsARoleThatNeverChanges() {
        Service service = design(Map.of("hasTransparentDataEncryption", true)).service();
        assertThat(service.encryptionRoleId()).isEqualTo(service.iamRole() + "/encryption");
    }

    @Test
    void scalingASecondTimeKeepsWhatIsNotGiven() {
        Scaling current = new Scaling(16, 64, 3, null, true, 20);
        Faults faults = new Faults();
        ScalingRules rules =
                new ScalingRules(Given.SEED, new ScalingRules.Setting(ENTERPRISE, true, false, null), faults);
        assertThat(rules.change(scaling(Map.of("numReplicas", 5)), current))
                .isEqualTo(new Scaling(16, 64, 5, null, true, 20));
        assertThat(faults.none()).isTrue();
        rules.change(scaling(Map.of("minReplicaMemoryGb", 120)), current);
        assertThat(faults.list()).extracting(Fault::path).containsExactly("minReplicaMemoryGb");
        Faults mistyped = new Faults();
        mistyped.add("maxReplicaMemoryGb", "must be a number");
        new ScalingRules(Given.SEED, new ScalingRules.Setting(ENTERPRISE, true, false, null), mistyped)
                .change(scaling(Map.of("minReplicaMemoryGb", 120)), current);
        assertThat(mistyped.list()).hasSize(1);
        Faults low = new Faults();
        low.add("minReplicaMemoryGb", "must be a number");
        new ScalingRules(Given.SEED, new ScalingRules.Setting(ENTERPRISE, true, false, null), low)
                .change(new ScalingDraft(null, null, null, 8.0, null, null, null, null, null, null), current);
        assertThat(low.list()).hasSize(1);
    }

    @Test
    void aHorizontalServiceStaysSoUntilChanged() {
        Scaling current = new Scaling(16, 16, 2, new Scaling.Band(2, 6), true, 20);
        ScalingRules rules =
                new ScalingRules(Given.SEED, new ScalingRules.Setting(ENTERPRISE, true, false, null), new Faults());
        assertThat(rules.change(scaling(Map.of("autoscalingMode", "horizontal")), current)
                        .band())
                .isEqualTo(new Scaling.Band(2, 6));
        assertThat(rules.change(scaling(Map.of("autoscalingMode", "vertical")), current)
                        .band())
                .isNull();
    }

    private static ScalingDraft scaling(Map<String, Object> fields) {
        return Given.draft(fields).scaling();
    }

    private static Map<String, Object> horizontal(int low, int high) {
        return Map.of("minReplicas", low, "maxReplicas", high, "minReplicaMemoryGb", 16, "maxReplicaMemoryGb", 16);
    }

    private static Given.Designed design(Map<String, Object> fields) {
        return Given.design(fields, ENTERPRISE);
    }

    private static List<String> paths(Map<String, Object> fields) {
        return design(fields).faults().stream().map(Fault::path).toList();
    }
}
