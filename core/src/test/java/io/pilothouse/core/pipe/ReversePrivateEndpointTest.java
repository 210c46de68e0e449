package io.pilothouse.core.pipe;

import static io.pilothouse.core.service.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.service.Given;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 2.8 of the contract and the rules by type. */
class ReversePrivateEndpointTest {
    private static final Map<ReversePrivateEndpoint.Type, Map<String, String>> COMPLETE = Map.of(
            ReversePrivateEndpoint.Type.VPC_ENDPOINT_SERVICE,
            Map.of("vpcEndpointServiceName", "com.amazonaws.vpce.us-east-1.vpce-svc-1"),
            ReversePrivateEndpoint.Type.VPC_RESOURCE,
            Map.of("vpcResourceConfigurationId", "rcfg-1", "vpcResourceShareArn", "arn:share"),
            ReversePrivateEndpoint.Type.MSK_MULTI_VPC,
            Map.of("mskClusterArn", "arn:msk", "mskAuthentication", "SASL_IAM"),
            ReversePrivateEndpoint.Type.GCP_PSC_SERVICE_ATTACHMENT,
            Map.of("gcpServiceAttachment", "projects/p/regions/r/serviceAttachments/s"));
    private final Faults faults = new Faults();
    private final ReversePrivateEndpointRules rules = new ReversePrivateEndpointRules(faults);

    @Test
    void everyTypeNeedsItsOwnFieldsAndNoOthers() {
        COMPLETE.forEach((type, fields) -> {
            assertThat(check(type.name(), fields)).isEmpty();
            fields.keySet()
                    .forEach(field -> assertThat(check(type.name(), except(fields, field)))
                            .as(type + " without " + field)
                            .containsExactly(field));
            COMPLETE.forEach((other, theirs) -> {
                if (other != type) {
                    Map<String, String> both = new HashMap<>(theirs);
                    both.putAll(fields);
                    assertThat(check(type.name(), both)).containsExactlyInAnyOrderElementsOf(theirs.keySet());
                }
            });
        });
    }

    @Test
    void fieldsOfOtherTypesMayBeEmpty() {
        Map<String, String> fields = new HashMap<>(COMPLETE.get(ReversePrivateEndpoint.Type.VPC_RESOURCE));
        fields.put("mskClusterArn", "");
        assertThat(check("VPC_RESOURCE", fields)).isEmpty();
        rules.check(new ReversePrivateEndpointDraft(
                "d", "VPC_ENDPOINT_SERVICE", "s", null, null, null, null, null, List.of("x.local")));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("customPrivateDnsMappings[0].privateDnsName");
    }

    @Test
    void wordsAndLengthsAreChecked() {
        assertThat(check(null, Map.of())).containsExactly("type");
        assertThat(check("VPN", Map.of())).containsExactly("type");
        assertThat(check("MSK_MULTI_VPC", Map.of("mskClusterArn", "a", "mskAuthentication", "NONE")))
                .containsExactly("mskAuthentication");
        assertThat(check("GCP_PSC_SERVICE_ATTACHMENT", Map.of("gcpServiceAttachment", "projects/p")))
                .containsExactly("gcpServiceAttachment");
        assertThat(check("VPC_ENDPOINT_SERVICE", Map.of("vpcEndpointServiceName", "x".repeat(2049))))
                .containsExactly("vpcEndpointServiceName");
        for (String description : new String[] {"", "x".repeat(256)}) {
            Faults found = new Faults();
            new ReversePrivateEndpointRules(found).check(draft(description, "VPC_RESOURCE", Map.of()));
            assertThat(found.has("description")).isTrue();
        }
        faults.add("description", "must be a string");
        faults.add("type", "must be a string");
        faults.add("vpcEndpointServiceName", "must be a string");
        int before = faults.list().size();
        rules.check(draft(null, null, Map.of()));
        rules.check(draft("d", "VPC_ENDPOINT_SERVICE", Map.of()));
        assertThat(faults.list()).hasSize(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"db.example.org", "*.example.org", "a-b.c1.example"})
    void namesAreTaken(String name) {
        rules.checkNames(ReversePrivateEndpoint.Type.VPC_RESOURCE, List.of(name));
        assertThat(faults.list()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example",
                "*",
                "a.*.example.org",
                "*.*.example.org",
                "-a.example.org",
                "db.local",
                "x.Internal"
            })
    void namesThatCannotBeResolvedAreRefused(String name) {
        rules.checkNames(ReversePrivateEndpoint.Type.VPC_RESOURCE, List.of(name));
        assertThat(faults.list()).hasSize(1);
    }

    @Test
    void namesHaveCeilingsAndNoneAreOfferedForMsk() {
        String label = "a".repeat(63) + ".";
        rules.checkNames(ReversePrivateEndpoint.Type.VPC_RESOURCE, List.of(label.repeat(4) + "org"));
        rules.checkNames(ReversePrivateEndpoint.Type.MSK_MULTI_VPC, List.of("a.example.org"));
        assertThat(faults.list()).hasSize(2);
        rules.checkNames(ReversePrivateEndpoint.Type.VPC_RESOURCE, Collections.nCopies(101, "a.example.org"));
        assertThat(faults.list()).hasSizeGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource({
        "a.example.org, A.example.org, true",
        "*.example.org, a.example.org, true",
        "a.example.org, *.example.org, true",
        "*.example.org, a.b.example.org, false",
        "*.example.org, example.org, false",
        "a.example.org, b.example.org, false",
        "a.b.example.org, *.example.org, false"
    })
    void wildcardsCoverOneLabel(String one, String other, boolean overlap) {
        assertThat(ReversePrivateEndpointRules.overlap(one, other)).isEqualTo(overlap);
    }

    @Test
    void anEndpointHasNamesOnceItIsReadyAndShowsThatItIsDeleted() {
        ReversePrivateEndpoint endpoint = new ReversePrivateEndpoint(
                new Head(GivenPipe.PIPE, Given.SERVICE, NOON, 1),
                Given.ORGANIZATION,
                "d",
                ReversePrivateEndpoint.Type.VPC_RESOURCE,
                null,
                "r",
                "s",
                null,
                null,
                null,
                List.of("a.example.org"),
                ReversePrivateEndpoint.Status.PROVISIONING,
                false,
                NOON);
        assertThat(endpoint.dnsNames()).isEmpty();
        assertThat(endpoint.privateDnsNames()).isEmpty();
        ReversePrivateEndpoint ready = endpoint.withStatus(ReversePrivateEndpoint.Status.READY, NOON);
        assertThat(ready.dnsNames()).hasSize(1);
        assertThat(ready.privateDnsNames()).containsExactly("a.example.org");
        assertThat(ready.shownStatus().word()).isEqualTo("Ready");
        assertThat(ready.asDeleted(NOON).shownStatus().word()).isEqualTo("Deleting");
        assertThat(ready.withDnsNames(List.of()).privateDnsNames()).isEmpty();
        assertThat(endpoint.endpointId())
                .as("the digits that differ between what was made in one moment")
                .isEqualTo("vpce-" + endpoint.id().toString().replace("-", "").substring(15));
        assertThat(endpoint.ownerId()).isEqualTo(Given.SERVICE);
    }

    @Test
    void aClusterOfMskIsReachedByTheNamesOfItsBrokers() {
        ReversePrivateEndpoint connecting = new ReversePrivateEndpoint(
                new Head(GivenPipe.PIPE, Given.SERVICE, NOON, 1),
                Given.ORGANIZATION,
                "d",
                ReversePrivateEndpoint.Type.MSK_MULTI_VPC,
                null,
                null,
                null,
                "arn:aws:kafka:us-east-1:123456789012:cluster/demo/1",
                "SASL_IAM",
                null,
                List.of(),
                ReversePrivateEndpoint.Status.PROVISIONING,
                false,
                NOON);
        assertThat(connecting.privateDnsNames()).isEmpty();
        ReversePrivateEndpoint ready = connecting.withStatus(ReversePrivateEndpoint.Status.READY, NOON);
        assertThat(ready.privateDnsNames())
                .hasSize(3)
                .first()
                .isEqualTo("b-1.666666666666.kafka.reverse.pilothouse.internal");
    }

    private static Map<String, String> except(Map<String, String> fields, String one) {
        Map<String, String> rest = new HashMap<>(fields);
        rest.remove(one);
        return rest;
    }

    private static List<String> check(@Nullable String type, Map<String, String> fields) {
        Faults found = new Faults();
        Optional<ReversePrivateEndpoint.Type> read =
                new ReversePrivateEndpointRules(found).check(draft("d", type, fields));
        assertThat(read.isPresent() || found.has("type")).isTrue();
        return found.list().stream().map(Fault::path).toList();
    }

    private static ReversePrivateEndpointDraft draft(
            @Nullable String description, @Nullable String type, Map<String, String> fields) {
        return new ReversePrivateEndpointDraft(
                description,
                type,
                fields.get("vpcEndpointServiceName"),
                fields.get("vpcResourceConfigurationId"),
                fields.get("vpcResourceShareArn"),
                fields.get("mskClusterArn"),
                fields.get("mskAuthentication"),
                fields.get("gcpServiceAttachment"),
                null);
    }
}
