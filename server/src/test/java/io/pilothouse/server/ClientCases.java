package io.pilothouse.server;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A client of others that tests drive here, and the sentences of those tests. */
public record ClientCases(String name, String version, List<String> cases) {
    public static List<ClientCases> all() {
        return List.of(
                of(
                        "ClickHouse's Terraform provider",
                        Terraform.PROVIDER_VERSION,
                        TerraformIT.class,
                        TerraformPipesIT.class,
                        TerraformImportIT.class,
                        TerraformLocalIT.class,
                        TerraformLocalPipesIT.class),
                of("`clickhousectl`, ClickHouse's command line client", OfficialClient.VERSION, OfficialClientIT.class),
                of(
                        "`clickhouse-connect`, and the Java client of the same page (`clients.md`)",
                        ClientsIT.PYTHON_VERSION,
                        ClientsIT.class));
    }

    private static ClientCases of(String name, String version, Class<?>... tests) {
        return new ClientCases(
                name,
                version,
                Stream.of(tests)
                        .flatMap(test -> Arrays.stream(test.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(Test.class))
                        .map(method -> sentence(method.getName()))
                        .sorted()
                        .toList());
    }

    /** The words of a name such as {@code aServiceIsMade}. */
    private static String sentence(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
