package io.pilothouse.server.config;

import java.nio.file.Path;
import java.util.Set;

/** The settings of the command that certifies Terraform modules. */
public final class CertifyOptions {
    /** The command that certifies a Terraform module. */
    public static final String COMMAND = "certify";

    public static final Option<String> URL = new Option<>(
            "url",
            "URL",
            null,
            Values::url,
            Option.Kind.PLAIN,
            Set.of(COMMAND),
            "the management address of a Pilothouse to certify a module against; without it one is started, and ends with the command");
    public static final Option<Path> TERRAFORM = file(
            "terraform",
            "the terraform or tofu to certify a module with; without it the first tofu or terraform of the path");
    public static final Option<Path> VAR_FILE =
            file("var-file", "values of variables of a module that is certified, as terraform takes them");
    public static final Option<Path> CHANGES = file(
            "changes",
            "other values to certify a module with, a list for each variable; without it certify.tfvars.json in the module");
    public static final Option<Path> JUNIT =
            file("junit", "where the report on a module is also written, as JUnit XML");

    private CertifyOptions() {}

    private static Option<Path> file(String key, String help) {
        return new Option<>(key, "FILE", null, Values::path, Option.Kind.PLAIN, Set.of(COMMAND), help);
    }
}
