package io.pilothouse.console.terraform;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.wire.Verb;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What Terraform says for a request of the API: the block of ClickHouse's provider, or one line of why it has none.
 * This is the only place that knows which resource is for what.
 */
public final class TerraformBlocks {
    private static final String SERVICE = "clickhouse_service";
    private static final String PIPE = "clickhouse_clickpipe";
    private static final String ROLE = "clickhouse_role";
    private static final String NONE = "# ClickHouse's provider has no resource for this.";
    private static final String NO_ACT = "# ClickHouse's provider does nothing of the kind: it sets how things are.";
    private static final Pattern PATH =
            Pattern.compile("/v1/organizations/[^/]+/([A-Za-z]+)(?:/([^/]+))?(?:/([A-Za-z]+))?(?:/([^/]+))?(?:/(.+))?");

    /** A list that is empty would let nobody in. */
    private static final Tree EXAMPLE = Tree.Members.NONE
            .with("source", new Tree.Text("192.0.2.1"))
            .with("description", new Tree.Text("all who may connect"));

    private final Tree.Members body;
    /** Of what is under a service, the id of the service. */
    private final String id;

    private TerraformBlocks(Tree.Members body, String id) {
        this.body = body;
        this.id = id;
    }

    public static String of(Verb verb, String path, @Nullable String body) {
        Tree.Members read = read(body);
        if (path.startsWith("/api/v2/")) {
            return new TerraformBlocks(read, "").alerts(verb, path.substring("/api/v2/".length()));
        }
        Matcher parts = PATH.matcher(path);
        if (!parts.matches()) {
            return NONE;
        }
        String id = parts.group(2) == null ? "" : parts.group(2);
        TerraformBlocks blocks = new TerraformBlocks(read, id);
        String within = parts.group(3) == null ? "" : parts.group(3);
        String last = parts.group(5) == null ? "" : parts.group(5);
        return switch (parts.group(1)) {
            case "services" -> within.equals("clickpipes") ? blocks.pipe(verb, last) : blocks.service(verb, within);
            case "roles" -> blocks.role(verb);
            case "members" -> verb == Verb.PATCH ? blocks.assigned("user_ids") : NONE;
            case "keys" -> verb == Verb.PATCH ? blocks.assigned("api_key_ids") : NONE;
            default -> NONE;
        };
    }

    /** What is no document says nothing. */
    private static Tree.Members read(@Nullable String body) {
        if (body == null) {
            return Tree.Members.NONE;
        }
        try {
            return JsonReader.readObject(body.getBytes(StandardCharsets.UTF_8), new Faults());
        } catch (Refused malformed) {
            return Tree.Members.NONE;
        }
    }

    private static String without(String what) {
        return "# Take " + what + " out of the configuration, then: terraform apply";
    }

    private Block part(String resource) {
        return Block.of(resource, body).partly();
    }

    private Block ofService(String resource) {
        return Block.of(resource, body).with("service_id", new Tree.Text(id));
    }

    private String service(Verb verb, String within) {
        boolean gone = verb == Verb.DELETE;
        return switch (within) {
            case "" ->
                switch (verb) {
                    case POST -> created();
                    case DELETE -> without(SERVICE);
                    case GET, PUT, PATCH, OPTIONS -> changed();
                };
            case "replicaScaling" ->
                part(SERVICE)
                        .taking(
                                "minReplicaMemoryGb",
                                "maxReplicaMemoryGb",
                                "numReplicas",
                                "idleScaling",
                                "idleTimeoutMinutes")
                        .text();
            case "password" -> part(SERVICE).with("password", Hcl.quoted("...")).text();
            case "backupConfiguration" ->
                part(SERVICE).with("backup_configuration", body).text();
            case "serviceQueryEndpoint" -> gone ? without("query_api_endpoints of " + SERVICE) : queryEndpoint();
            case "privateEndpoint" ->
                ofService("clickhouse_service_private_endpoints_attachment")
                        .with(
                                "private_endpoint_ids",
                                Tree.Items.texts(body.text("id").stream().toList()))
                        .text();
            case "scalingSchedule" ->
                gone
                        ? without("clickhouse_service_scheduled_scaling")
                        : ofService("clickhouse_service_scheduled_scaling")
                                .with("entries", new Tree.Items(body.items("entries")))
                                .text();
            case "upgradeWindow" ->
                gone
                        ? without("clickhouse_service_upgrade_window")
                        : ofService("clickhouse_service_upgrade_window")
                                .taking("weekday", "startHourUtc")
                                .text();
            case "state", "backups" -> NO_ACT;
            default -> NONE;
        };
    }

    private String created() {
        return Block.of(SERVICE, body)
                .as("name", "name", "")
                .as("cloud_provider", "provider", "aws")
                .as("region", "region", "us-east-1")
                .taking(
                        "backupId",
                        "minReplicaMemoryGb",
                        "maxReplicaMemoryGb",
                        "numReplicas",
                        "idleScaling",
                        "idleTimeoutMinutes")
                .with("ip_access", access(body.items("ipAccessList")))
                .with("password", Hcl.quoted("..."))
                .text();
    }

    /** Its name, or who may connect: Terraform has them all, and no list of those who come and go. */
    private String changed() {
        Block block = part(SERVICE).taking("name");
        if (block.isEmpty()) {
            List<Tree> added =
                    body.members("ipAccessList").orElse(Tree.Members.NONE).items("add");
            block.with("ip_access", access(added.isEmpty() ? List.of(EXAMPLE) : added));
        }
        return block.text();
    }

    /** Each address has a description there. */
    private static Tree access(List<Tree> entries) {
        return new Tree.Items(entries.stream()
                .map(entry -> entry instanceof Tree.Members members && !members.has("description")
                        ? members.with("description", new Tree.Text(""))
                        : entry)
                .toList());
    }

    private String queryEndpoint() {
        Tree.Members endpoints = Tree.Members.NONE
                .with("api_key_ids", Tree.Items.texts(body.texts("openApiKeys")))
                .with("roles", Tree.Items.texts(body.texts("roles")));
        return part(SERVICE)
                .with(
                        "query_api_endpoints",
                        body.has("allowedOrigins")
                                ? endpoints.with(
                                        "allowed_origins",
                                        body.find("allowedOrigins").orElse(null))
                                : endpoints)
                .text();
    }

    private String pipe(Verb verb, String within) {
        return switch (within) {
            case "" ->
                switch (verb) {
                    case POST ->
                        ofService(PIPE)
                                .taking("name", "source", "destination", "fieldMappings", "scaling", "settings")
                                .text();
                    case DELETE -> without(PIPE);
                    case GET, PUT, PATCH, OPTIONS -> part(PIPE).taking("name").text();
                };
            case "state" -> commanded(body.text("command").orElse(""));
            case "scaling" ->
                part(PIPE).with("scaling", body.with("concurrency", null)).text();
            case "settings" -> part(PIPE).with("settings", Hcl.exact(body)).text();
            default -> NO_ACT;
        };
    }

    private String commanded(String command) {
        return switch (command) {
            case "start" -> part(PIPE).with("stopped", new Tree.Flag(false)).text();
            case "stop" -> part(PIPE).with("stopped", new Tree.Flag(true)).text();
            case "resync" ->
                part(PIPE).with("trigger_resync", new Tree.Flag(true)).text();
            default -> NO_ACT;
        };
    }

    private String role(Verb verb) {
        if (verb == Verb.DELETE) {
            return without(ROLE);
        }
        Block block = verb == Verb.PATCH ? part(ROLE) : Block.of(ROLE, body);
        block.taking("name");
        if (body.has("policies")) {
            block.with(
                    "policies",
                    new Tree.Items(body.objects("policies").stream()
                            .map(TerraformBlocks::policy)
                            .toList()));
        }
        return block.text();
    }

    /** A policy says there what it has as its effect. */
    private static Tree policy(Tree.Members policy) {
        Map<String, Tree> members = new LinkedHashMap<>();
        policy.values().forEach((name, value) -> members.put(name.equals("allowDeny") ? "effect" : name, value));
        return new Tree.Members(members);
    }

    /** A block for each role, which says who has it. */
    private String assigned(String holders) {
        List<String> blocks = new ArrayList<>();
        for (String roleId : body.texts("assignedRoleIds")) {
            blocks.add(Block.of("clickhouse_role_assignment", "role_" + (blocks.size() + 1), body)
                    .with("role_id", new Tree.Text(roleId))
                    .with(holders, Tree.Items.texts(List.of(id)))
                    .text());
        }
        return blocks.isEmpty() ? without("its clickhouse_role_assignment") : String.join("\n", blocks);
    }

    private String alerts(Verb verb, String path) {
        return switch (path) {
            case "webhooks" ->
                Block.of("clickhouse_clickstack_webhook", body)
                        .taking("name", "service", "url", "description", "body", "headers", "queryParams")
                        .text();
            case "dashboards" ->
                "# Tiles of ClickHouse's provider show sources of events; these show metrics of services and pipes.";
            case "alerts" -> "# Alerts of ClickHouse's provider watch saved searches; these watch tiles of dashboards.";
            default -> {
                boolean oneWebhook = path.startsWith("webhooks/") && path.indexOf('/') == path.lastIndexOf('/');
                yield verb == Verb.DELETE && oneWebhook ? without("clickhouse_clickstack_webhook") : NONE;
            }
        };
    }
}
