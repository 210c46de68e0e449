package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.ToolCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Terraform with ClickHouse's provider, both unmodified, on one folder of configuration, as its users run it. The
 * programs lie packed beside the clone; elsewhere the {@code tofu} or {@code terraform} of the path is used, which
 * fetches the provider by itself. Where neither is there, tests are skipped.
 */
final class Terraform {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration RUN = Duration.ofMinutes(4);
    static final String PROVIDER_VERSION = "3.25.3";

    private final Tools tools;
    private final Path folder;
    private final Map<String, String> environment;
    private final List<String> providers;
    private boolean applied;

    /** The program to run, and the folder with its providers; null where it fetches them by itself. */
    private record Tools(Path binary, @Nullable Path providers) {}

    private Terraform(Tools tools, Path folder, Map<String, String> environment, List<String> providers) {
        this.tools = tools;
        this.folder = folder;
        this.environment = environment;
        this.providers = providers;
    }

    /** With ClickHouse's provider for services, and {@code more} of ClickHouse's. */
    static Terraform of(TestProgram program, Path folder, String... more) throws IOException, InterruptedException {
        List<String> providers =
                Stream.concat(Stream.of("clickhouse"), Stream.of(more)).toList();
        Tools tools = tools();
        Map<String, String> environment = new TreeMap<>();
        environment.put("CLICKHOUSE_API_URL", program.credential("base_url") + "/v1");
        environment.put("CLICKHOUSE_ORG_ID", program.credential("organization_id"));
        environment.put("CLICKHOUSE_CLOUD_API_KEY", program.credential("key_id"));
        environment.put("CLICKHOUSE_CLOUD_API_SECRET", program.credential("key_secret"));
        environment.put("CLICKSTACK_ENDPOINT", program.credential("alerts_url"));
        environment.put("CLICKSTACK_API_KEY", program.credential("token"));
        environment.put("TF_IN_AUTOMATION", "1");
        environment.put("CHECKPOINT_DISABLE", "1");
        environment.put("HOME", folder.toString());
        if (tools.providers() != null) {
            Path settings = Files.writeString(
                    folder.resolve("settings.tfrc"), """
                    provider_installation {
                      dev_overrides {
                        "ClickHouse/clickhouse" = "%s"
                        "ClickHouse/clickhousedbops" = "%s"
                      }
                      direct {}
                    }
                    """.formatted(tools.providers(), tools.providers()));
            environment.put("TF_CLI_CONFIG_FILE", settings.toString());
        }
        return new Terraform(tools, folder, environment, providers);
    }

    /** The program that is used here. */
    static Path binary() throws IOException, InterruptedException {
        return tools().binary();
    }

    /** The environment in which {@code init} finds the provider: a mirror in a folder, where it is not fetched. */
    static Map<String, String> forInit(Path folder) throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("TF_") || name.startsWith("CLICK"));
        environment.put("HOME", folder.toString());
        Path packed = tools().providers();
        if (packed != null) {
            Path mirror = folder.resolve("mirror");
            for (String registry : List.of("registry.opentofu.org", "registry.terraform.io")) {
                Path place = Files.createDirectories(
                        mirror.resolve(registry + "/clickhouse/clickhouse/" + PROVIDER_VERSION + "/linux_amd64"));
                Files.createSymbolicLink(
                        place.resolve("terraform-provider-clickhouse_v" + PROVIDER_VERSION),
                        packed.resolve("terraform-provider-clickhouse"));
            }
            Path settings = Files.writeString(
                    folder.resolve("mirror.tfrc"),
                    "provider_installation {\n  filesystem_mirror { path = \"" + mirror + "\" }\n}\n");
            environment.put("TF_CLI_CONFIG_FILE", settings.toString());
        }
        return environment;
    }

    private static synchronized Tools tools() throws IOException, InterruptedException {
        Path packed = Clone.root().resolveSibling("shared").resolve("clients");
        if (Files.isRegularFile(packed.resolve("tofu.xz"))) {
            Path providers = Files.createDirectories(
                    ToolCache.home().resolve("pilothouse").resolve("terraform"));
            unpack(packed, providers, "terraform-provider-clickhouse");
            unpack(packed, providers, "terraform-provider-clickhousedbops");
            return new Tools(unpack(packed, providers, "tofu"), providers);
        }
        Path onPath = Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .flatMap(entry -> Stream.of(Path.of(entry, "tofu"), Path.of(entry, "terraform")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        Assumptions.assumeTrue(onPath != null, "There is no tofu or terraform on the path.");
        return new Tools(onPath, null);
    }

    private static Path unpack(Path packed, Path into, String name) throws IOException, InterruptedException {
        Path binary = into.resolve(name);
        Path source = packed.resolve(name + ".xz");
        boolean current = Files.isExecutable(binary)
                && Files.getLastModifiedTime(binary).compareTo(Files.getLastModifiedTime(source)) >= 0;
        if (!current) {
            Path whole = Files.createTempFile(into, name, ".part");
            ToolRun xz =
                    ToolRun.of(new ProcessBuilder("xz", "-dkc", source.toString()).redirectOutput(whole.toFile()), RUN);
            Assumptions.assumeTrue(xz.code() == 0, "The packed " + name + " needs xz to be unpacked.");
            assertThat(whole.toFile().setExecutable(true)).isTrue();
            Files.move(whole, binary, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return binary;
    }

    private void write(String configuration) throws IOException {
        StringBuilder text = new StringBuilder("terraform {\n  required_providers {\n");
        providers.forEach(name -> text.append("    %s = { source = \"ClickHouse/%s\" }\n".formatted(name, name)));
        Files.writeString(folder.resolve("main.tf"), text.append("  }\n}\n\n") + configuration);
    }

    /** Makes it so, and expects that the next plan has nothing to do. */
    void apply(String configuration) throws IOException, InterruptedException {
        write(configuration);
        if (tools.providers() == null && !Files.exists(folder.resolve(".terraform"))) {
            must("init", "-input=false", "-no-color");
        }
        applied = true;
        must("apply", "-auto-approve", "-input=false", "-no-color");
        assertThat(plan()).as("what is left to do after an apply").isEmpty();
    }

    /** Expects that the provider takes it, without making anything. */
    void validate(String configuration) throws IOException, InterruptedException {
        write(configuration);
        if (tools.providers() == null && !Files.exists(folder.resolve(".terraform"))) {
            must("init", "-input=false", "-no-color");
        }
        must("validate", "-no-color");
    }

    /** Makes it so, where what is there must be changed and not replaced. */
    void change(String configuration) throws IOException, InterruptedException {
        write(configuration);
        Map<String, String> planned = plan();
        assertThat(planned).as("the changes that %s asks for", configuration).isNotEmpty();
        assertThat(planned.values()).as("changes in place").doesNotContain("delete,create", "create,delete");
        apply(configuration);
    }

    /** The same, where just this resource must be made again. */
    void replace(String configuration, String address) throws IOException, InterruptedException {
        write(configuration);
        assertThat(plan()).as("what the change asks for").isEqualTo(Map.of(address, "delete,create"));
        apply(configuration);
    }

    /** Forgets a resource and takes it up again by its id; only {@code unknown} attributes may differ then. */
    void reimport(String address, String id, String... unknown) throws IOException, InterruptedException {
        must("state", "rm", address);
        must("import", "-input=false", "-no-color", address, id);
        for (JsonNode change : changes()) {
            assertThat(change.path("address").asString()).isEqualTo(address);
            JsonNode before = change.path("change").path("before");
            JsonNode after = change.path("change").path("after");
            List<String> differing = after.propertyNames().stream()
                    .filter(name -> !after.path(name).equals(before.path(name)))
                    .toList();
            assertThat(differing).as("what an import does not know").isSubsetOf(unknown);
        }
    }

    void destroy() throws IOException, InterruptedException {
        must("destroy", "-auto-approve", "-input=false", "-no-color");
        applied = false;
    }

    /** After a test that failed: what it made must not be in the way of the next. */
    static void removeLeft(@Nullable Terraform of) throws IOException, InterruptedException {
        if (of != null && of.applied) {
            of.destroy();
        }
    }

    /** An attribute of a resource in the state. */
    String attribute(String address, String name) throws IOException, InterruptedException {
        JsonNode state = JSON.readTree(must("show", "-json"));
        for (JsonNode resource : state.at("/values/root_module/resources")) {
            if (resource.path("address").asString().equals(address)) {
                return resource.path("values").path(name).asString();
            }
        }
        throw new AssertionError(address + " is not in the state: " + state);
    }

    /** What a plan does with each resource that it does something with. */
    private Map<String, String> plan() throws IOException, InterruptedException {
        Map<String, String> actions = new TreeMap<>();
        for (JsonNode change : changes()) {
            List<String> verbs = new ArrayList<>();
            change.path("change").path("actions").forEach(verb -> verbs.add(verb.asString()));
            actions.put(change.path("address").asString(), String.join(",", verbs));
        }
        return actions;
    }

    private List<JsonNode> changes() throws IOException, InterruptedException {
        must("plan", "-input=false", "-no-color", "-out=next");
        List<JsonNode> changes = new ArrayList<>();
        for (JsonNode change : JSON.readTree(must("show", "-json", "next")).path("resource_changes")) {
            String action = change.at("/change/actions/0").asString();
            if (!action.equals("no-op") && !action.equals("read")) {
                changes.add(change);
            }
        }
        return changes;
    }

    private String must(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tools.binary().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        return ToolRun.must(builder, RUN);
    }
}
