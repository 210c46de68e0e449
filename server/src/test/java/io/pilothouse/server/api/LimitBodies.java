package io.pilothouse.server.api;

import static io.pilothouse.http.api.Operation.alertCreate;
import static io.pilothouse.http.api.Operation.alertReplace;
import static io.pilothouse.http.api.Operation.backupBucketCreate;
import static io.pilothouse.http.api.Operation.backupBucketUpdate;
import static io.pilothouse.http.api.Operation.backupConfigurationUpdate;
import static io.pilothouse.http.api.Operation.clickPipeCdcScalingUpdate;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointCreate;
import static io.pilothouse.http.api.Operation.clickPipeReversePrivateEndpointUpdate;
import static io.pilothouse.http.api.Operation.dashboardCreate;
import static io.pilothouse.http.api.Operation.dashboardReplace;
import static io.pilothouse.http.api.Operation.instanceCreate;
import static io.pilothouse.http.api.Operation.instanceQueryEndpointUpsert;
import static io.pilothouse.http.api.Operation.instanceReplicaScalingUpdate;
import static io.pilothouse.http.api.Operation.instanceScalingUpdate;
import static io.pilothouse.http.api.Operation.instanceUpdate;
import static io.pilothouse.http.api.Operation.invitationCreate;
import static io.pilothouse.http.api.Operation.memberUpdate;
import static io.pilothouse.http.api.Operation.openapiKeyCreate;
import static io.pilothouse.http.api.Operation.openapiKeyUpdate;
import static io.pilothouse.http.api.Operation.organizationByocInfrastructureCreate;
import static io.pilothouse.http.api.Operation.organizationByocInfrastructureUpdate;
import static io.pilothouse.http.api.Operation.organizationCreate;
import static io.pilothouse.http.api.Operation.organizationRolePatch;
import static io.pilothouse.http.api.Operation.organizationRolePost;
import static io.pilothouse.http.api.Operation.organizationUpdate;
import static io.pilothouse.http.api.Operation.scalingScheduleUpsert;
import static io.pilothouse.http.api.Operation.webhookCreate;
import static io.pilothouse.http.api.Operation.webhookReplace;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.http.api.Operation;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Good requests that have every field somewhere and meet every condition; a limit is tried on the first that has what
 * is around it, and on the next where that one refuses. A limit that other fields speak against is kept by one that is
 * at it.
 */
final class LimitBodies {
    private static final String LONG_BLOCK = "0000:0000:0000:0000:0000:ffff:255.255.255.255/128";
    private static final String ACCESS =
            "[{'source': '::', 'description': 'd'}, {'source': '%s'}]".formatted(LONG_BLOCK);
    private static final String DIGEST = "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=";
    static final String DASHBOARD = """
            {'name': 'Fleet', 'tags': ['ops'], 'tiles': [{'id': 't', 'name': 'Stopped', 'x': 0, 'y': 0, 'w': 1, 'h': 4,
             'config': {'displayType': 'number', 'metric': 'services', 'aggregation': 'last',
             'filter': {'state': 'stopped'}, 'groupBy': 'service'}}]}""";
    private static final String CHANNELS = IntStream.range(0, 10)
            .mapToObj("{'type': 'webhook', 'webhookId': '{webhook%d}'}"::formatted)
            .collect(Collectors.joining(",", "[", "]"));
    private static final String REPLICAS = """
            {'minReplicas': 1, 'maxReplicas': 20, 'autoscalingMode': 'horizontal', 'minReplicaMemoryGb': 8,
             'maxReplicaMemoryGb': 8}""";
    private final Map<Operation, List<String>> all = new EnumMap<>(Operation.class);

    LimitBodies() {
        services();
        organizations();
        roles();
        LimitPipes.addTo(all);
        alerts();
    }

    /** Those of an operation; the example of the document where it has all that there is. */
    List<String> of(Operation operation, String example) {
        return all.getOrDefault(operation, List.of(example));
    }

    private void services() {
        all.put(
                instanceCreate,
                List.of(
                        """
                        {'name': 'Events', 'provider': 'aws', 'region': 'eu-west-1', 'ipAccessList': %s,
                         'minReplicaMemoryGb': 8, 'maxReplicaMemoryGb': 356, 'numReplicas': 2, 'autoscalingMode': 'vertical',
                         'idleScaling': true, 'idleTimeoutMinutes': 15, 'isReadonly': false, 'encryptionKey': 'k',
                         'encryptionAssumedRoleIdentifier': 'r', 'privateEndpointIds': ['vpce-1'],
                         'privatePreviewTermsChecked': true, 'releaseChannel': 'fast', 'hasTransparentDataEncryption': true,
                         'endpoints': [{'protocol': 'mysql', 'enabled': true}, {'protocol': 'https', 'enabled': true}], 'profile': 'v1-default',
                         'complianceType': 'pci', 'tags': [{'key': 'team', 'value': 'data'}], 'enableCoreDumps': true}""".formatted(ACCESS),
                        "{}",
                        "{'provider': 'gcp', 'region': 'us-east1'}",
                        "{'provider': 'azure', 'region': 'eastus'}",
                        "{'minTotalMemoryGb': 24, 'maxTotalMemoryGb': 1068}",
                        "{'dataWarehouseId': '{warehouse}', 'isReadonly': true, 'numReplicas': 1}",
                        REPLICAS.replace("{", "{'dataWarehouseId': '{warehouse}', "),
                        REPLICAS.replace("{", "{'dataWarehouseId': '{warehouse}', ")
                                .replace("20", "1"),
                        "{'minReplicas': 20, 'maxReplicas': 20}",
                        "{'byocId': 'byoc-1', 'minReplicaMemoryGb': 48, 'maxReplicaMemoryGb': 232}",
                        "{'backupId': '{backup}'}",
                        """
                        {'tier': 'development', 'provider': 'aws', 'region': 'us-east-1', 'minTotalMemoryGb': null,
                         'maxTotalMemoryGb': null, 'minReplicaMemoryGb': null, 'maxReplicaMemoryGb': null,
                         'numReplicas': null, 'minReplicas': null, 'maxReplicas': null, 'releaseChannel': null}"""));
        all.put(instanceUpdate, List.of("""
                        {'name': 'Events 2', 'ipAccessList': {'add': %s, 'remove': [{'source': '192.0.2.0/24'}]},
                         'privateEndpointIds': {'add': ['vpce-1'], 'remove': ['vpce-2']}, 'releaseChannel': 'fast',
                         'endpoints': [{'protocol': 'mysql', 'enabled': true}, {'protocol': 'https', 'enabled': true}],
                         'tags': {'add': [{'key': 'team', 'value': 'data'}], 'remove': [{'key': 'team'}]},
                         'enableCoreDumps': true}""".formatted(ACCESS), "{'ipAccessList': {}, 'privateEndpointIds': {}}"));
        List<String> scalings =
                List.of("""
                {'minReplicaMemoryGb': 8, 'maxReplicaMemoryGb': 356, 'numReplicas': 2, 'idleScaling': true,
                 'autoscalingMode': 'vertical', 'idleTimeoutMinutes': 10}""", REPLICAS, REPLICAS.replace("20", "1"), "{'minReplicas': 20, 'maxReplicas': 20}");
        all.put(instanceReplicaScalingUpdate, scalings);
        List<String> entries = scalings.stream()
                .map(scaling -> "{'entries': [{'name': 'Day', 'weekdays': [0, 6], 'startHourUtc': 8, 'endHourUtc': 18, "
                        + scaling.substring(1) + "]}")
                .toList();
        all.put(scalingScheduleUpsert, entries);
        String endpoint = "{'roles': ['sql_console_admin'], 'allowedOrigins': '*', 'openApiKeys': [%s]}";
        all.put(
                instanceQueryEndpointUpsert,
                List.of(endpoint.formatted("'{key}'"), endpoint.formatted(most("'{key}'"))));
        all.put(
                instanceScalingUpdate,
                List.of(
                        "{'minTotalMemoryGb': 24, 'maxTotalMemoryGb': 1068, 'numReplicas': 2, 'idleScaling': true, 'idleTimeoutMinutes': 5}"));
        List<String> buckets = List.of(
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours', 'iamRoleArn': 'arn:aws:iam::000000000000:role/a', 'iamRoleSessionName': 'ab'}",
                "{'bucketProvider': 'AWS', 'bucketPath': 's3://ours', 'accessKeyId': 'a', 'secretAccessKey': 'b'}",
                "{'bucketProvider': 'GCP', 'bucketPath': 'gs://ours', 'accessKeyId': 'a', 'secretAccessKey': 'b'}",
                "{'bucketProvider': 'AZURE', 'containerName': 'ours', 'connectionString': 'AccountName=ours;AccountKey=c2VjcmV0'}");
        all.put(backupBucketCreate, buckets);
        all.put(backupBucketUpdate, buckets);
        all.put(
                backupConfigurationUpdate,
                List.of(
                        "{'backupPeriodInHours': 24, 'backupRetentionPeriodInHours': 168, 'backupStartTime': '2:00'}",
                        "{'backupPeriodInHours': 1}",
                        "{'backupPeriodInHours': 168}"));
        all.put(
                clickPipeCdcScalingUpdate,
                List.of(
                        "{'replicaCpuMillicores': 1000, 'replicaMemoryGb': 4}",
                        "{'replicaCpuMillicores': 32000, 'replicaMemoryGb': 128}"));
        all.put(clickPipeReversePrivateEndpointCreate, List.of("""
                        {'description': 'd', 'type': 'VPC_ENDPOINT_SERVICE', 'vpcEndpointServiceName': 'a',
                         'customPrivateDnsMappings': [{'privateDnsName': 'b.unique.example.org'}]}""", """
                        {'description': 'd', 'type': 'VPC_RESOURCE', 'vpcResourceConfigurationId': 'a',
                         'vpcResourceShareArn': 'b'}""", """
                        {'description': 'd', 'type': 'MSK_MULTI_VPC', 'mskClusterArn': 'a', 'mskAuthentication': 'SASL_IAM',
                         'customPrivateDnsMappings': []}""", """
                        {'description': 'd', 'type': 'GCP_PSC_SERVICE_ATTACHMENT',
                         'gcpServiceAttachment': 'projects/p/regions/r/serviceAttachments/a'}"""));
        all.put(
                clickPipeReversePrivateEndpointUpdate,
                List.of("{'customPrivateDnsMappings': [{'privateDnsName': 'c.unique.example.org'}]}"));
    }

    private void organizations() {
        all.put(
                organizationCreate,
                List.of(
                        "{'name': 'Beta', 'tier': 'SCALE', 'paid': true, 'byocConfig': [{'id': 'a', 'accountName': 'b'}]}"));
        String region = "{'regionId': 'eu-west-1', 'accountId': '1', 'availabilityZoneSuffixes': [%s],"
                + " 'vpcCidrRange': '10.0.0.0/16', 'displayName': 'Ours'}";
        all.put(organizationByocInfrastructureCreate, List.of(region.formatted("'a'"), region.formatted(most("'a'"))));
        all.put(
                organizationByocInfrastructureUpdate,
                List.of(
                        "{'displayName': 'Ours'}",
                        "{'displayName': 'Ours', 'regionId': 'eu-west-1', 'accountId': '123456789012'}"));
        all.put(organizationUpdate, List.of("""
                        {'name': 'Acme', 'enableCoreDumps': true, 'privateEndpoints': {
                         'add': [{'id': 'vpce-0a1b', 'description': 'Office'}], 'remove': [{'id': 'x', 'description': 'y'}]}}"""));
        all.put(
                openapiKeyCreate,
                List.of(
                        """
                        {'name': 'CI', 'roles': ['developer'], 'state': 'enabled', 'expireAt': '2030-01-01T00:00:00Z',
                         'ipAccessList': %s}""".formatted(ACCESS),
                        "{'name': 'CI', 'assignedRoleIds': ['{role}']}",
                        "{'name': 'CI', 'hashData': {'keyIdHash': '%s', 'keyIdSuffix': 'abcd', 'keySecretHash': '%s'}}"
                                .formatted(DIGEST, DIGEST)));
        all.put(openapiKeyUpdate, List.of("""
                        {'name': 'CI', 'roles': ['developer'], 'state': 'enabled', 'expireAt': '2030-01-01T00:00:00Z',
                         'ipAccessList': %s}""".formatted(ACCESS), "{'assignedRoleIds': ['{role}']}"));
    }

    private void roles() {
        String word = "'control-plane:service:view'";
        String policy = "{'allowDeny': 'ALLOW', 'permissions': [%s], 'resources': [%s]}";
        String few = policy.formatted(word, "'instance/*'");
        String tagged = few.replace("]}", "], 'tags': {'grants': ['default'], 'roleV2': 'sql-console-admin'}}");
        List<String> bodies = Stream.of(
                        "'actors': ['apiKey/{key}'], 'policies': [%s]".formatted(tagged),
                        "'actors': [%s], 'policies': []".formatted(most("'apiKey/{key}'")),
                        "'policies': [%s]".formatted(String.join(", ", Collections.nCopies(100, few))),
                        "'policies': [%s]"
                                .formatted(policy.formatted(
                                        "'control-plane:organization:view'", "'organization/{organization}'")),
                        "'policies': [%s]".formatted(policy.formatted(most(word), most("'instance/*'"))),
                        "'policies': [%s]".formatted(tagged.replace("ALLOW", "DENY")))
                .map(body -> "{'name': 'unique', " + body + "}")
                .toList();
        all.put(organizationRolePost, bodies);
        all.put(organizationRolePatch, bodies);
        List<String> given = List.of(
                "'role': 'developer'",
                "'assignedRoleIds': ['{role}']",
                "'assignedRoleIds': [%s]".formatted(most("'{role}'")));
        all.put(
                invitationCreate,
                given.stream()
                        .map(roles -> "{'email': 'unique@example.org', " + roles + "}")
                        .toList());
        all.put(memberUpdate, given.stream().map(roles -> "{" + roles + "}").toList());
    }

    private static String most(String entry) {
        return String.join(", ", Collections.nCopies(FieldShape.LIST.max(), entry));
    }

    private void alerts() {
        String alert = """
                {'name': 'Many', 'threshold': 3, 'thresholdType': '%s', 'interval': '1d', 'source': 'tile', %s
                 'dashboard': '00000000-0000-4000-8000-000000000001', 'tileId': 'services-failing'}""";
        List<String> rules = List.of(
                alert.formatted("above", "'channel': {'type': 'activity'},"),
                alert.formatted("between", "'thresholdMax': 4, 'channels': [{'type': 'activity'}],"),
                alert.formatted("above", "'channel': {'type': 'webhook', 'webhookId': '{webhook}'},")
                        .replace("'dashboard'", "'dashboardId'"),
                alert.formatted("above", "'channels': " + CHANNELS + ",")
                        .replace("00000000-0000-4000-8000-000000000001", "{dashboard}")
                        .replace("services-failing", "t"),
                alert.formatted(
                        "above",
                        "'scheduleStartAt': '2025-12-31T00:00:00Z', 'channels': [{'type': 'webhook', 'webhookId': '{webhook}'}],"));
        all.put(alertCreate, rules);
        all.put(alertReplace, rules);
        List<String> boards = List.of(
                DASHBOARD,
                DASHBOARD.replace("'filter': {'state': 'stopped'}, ", "").replace("'service'", "null"),
                DASHBOARD
                        .replace("'filter': {'state': 'stopped'}, ", "")
                        .replace("'service'", "null")
                        .replace("'services'", "'requests'")
                        .replace("'last'", "'sum'"));
        all.put(dashboardCreate, boards);
        all.put(dashboardReplace, boards);
        List<String> hooks = List.of("""
                {'name': 'unique', 'service': 'generic', 'url': 'http://127.0.0.1:9/', 'headers': {'X-Team': 'data'},
                 'queryParams': {'a': 'b'}}""", """
                {'name': 'unique', 'service': 'slack', 'url': 'https://hooks.slack.com/x', 'body': '', 'headers': {},
                 'queryParams': {}}""");
        all.put(webhookCreate, hooks);
        all.put(
                webhookReplace,
                hooks.stream()
                        .map(hook -> hook.replace("'unique'", "'v unique'"))
                        .toList());
    }
}
