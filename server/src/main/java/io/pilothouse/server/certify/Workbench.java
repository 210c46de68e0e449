package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.certify.Step.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A copy of the module with Terraform in it: what can be done there, with the values that variables were given last. */
final class Workbench {
    private static final Pattern COUNTS =
            Pattern.compile("Resources: ((?:\\d+ imported, )?\\d+ added, \\d+ changed, \\d+ destroyed)");
    private static final List<String> QUIETLY = List.of("-input=false", "-no-color");
    private static final String KEPT = "pilothouse-certify.kept";
    private static final String PLAN_FILE = "pilothouse-certify.plan";

    private final ModuleCopy copy;
    private final Terraform terraform;
    private final Optional<Path> values;
    private final Tree.Members inputs;
    private final Masked masked;

    /**
     * @param values a file with values of variables that the user gave
     * @param inputs values that we give: the organization and its key, by the names that modules have for them
     */
    Workbench(ModuleCopy copy, Terraform terraform, Optional<Path> values, Tree.Members inputs, Masked masked) {
        this.copy = copy;
        this.terraform = terraform;
        this.values = values;
        this.inputs = inputs;
        this.masked = masked;
    }

    /** Those of our inputs that the module has a variable for. */
    static Tree.Members inputs(ModuleCopy copy, Map<String, String> all) {
        Tree.Members inputs = Tree.Members.NONE;
        for (String variable : copy.variables()) {
            if (all.containsKey(variable)) {
                inputs = inputs.with(variable, new Tree.Text(all.getOrDefault(variable, "")));
            }
        }
        return inputs;
    }

    ModuleCopy copy() {
        return copy;
    }

    boolean isOurs(String variable) {
        return inputs.has(variable);
    }

    /** The same module with a state of its own. */
    Workbench withStateOfItsOwn(Path into) throws IOException {
        return new Workbench(copy.withStateOfItsOwn(into), terraform, values, inputs, masked);
    }

    /** A value for the report. */
    String shown(Tree value) {
        return Difference.shown(value, masked);
    }

    /** Keeps a value out of what is shown. */
    void hide(Tree value) {
        masked.addAll(value);
    }

    /** Lets the variables be as the user has them, but for these. */
    void set(Tree.Members changed) throws IOException {
        copy.give(inputs.over(changed));
    }

    /** Fetches providers and modules; where the user overrides providers, which needs no fetching, modules only. */
    Result init(Map<String, String> environment) throws TerraformFailed, IOException, InterruptedException {
        try {
            run("init", QUIETLY);
            return Result.passed("");
        } catch (TerraformFailed e) {
            String settings = environment.getOrDefault("TF_CLI_CONFIG_FILE", "");
            boolean overrides = !settings.isEmpty()
                    && Files.isRegularFile(Path.of(settings))
                    && Files.readString(Path.of(settings)).contains("dev_overrides");
            if (!overrides) {
                throw e;
            }
            run("get", List.of("-no-color"));
            return Result.passed("without providers, which dev_overrides name");
        }
    }

    /** What is to be done, as {@code show -json} has it. */
    Tree.Members plan() throws TerraformFailed, IOException, InterruptedException {
        run("plan", with(QUIETLY, "-out=" + PLAN_FILE));
        Tree.Members plan = terraform.json(copy.folder(), List.of("show", "-json", PLAN_FILE));
        for (String variable : copy.variables()) {
            if (isSecret(plan, variable)) {
                value(plan, variable).ifPresent(masked::addAll);
            }
        }
        return plan;
    }

    /** Whether the module, or its name, says that a variable is a secret. */
    static boolean isSecret(Tree.Members plan, String variable) {
        return Difference.isSecretName(variable)
                || plan.members("configuration")
                        .flatMap(all -> all.members("root_module"))
                        .flatMap(module -> module.members("variables"))
                        .flatMap(variables -> variables.members(variable))
                        .filter(declared -> declared.flag("sensitive"))
                        .isPresent();
    }

    /** The value of a variable in a plan. */
    static Optional<Tree> value(Tree.Members plan, String variable) {
        return plan.members("variables").flatMap(all -> all.members(variable)).flatMap(each -> each.find("value"));
    }

    /** Fails, and shows what differs, unless there is nothing left to do. */
    Result emptyPlan() throws TerraformFailed, IOException, InterruptedException {
        return verdict(Difference.of(plan()));
    }

    Result verdict(List<Difference> differences) {
        return differences.isEmpty()
                ? Result.passed("")
                : Result.failed(
                        differences.size() == 1 ? "one resource differs" : differences.size() + " resources differ",
                        differences.stream()
                                .flatMap(each -> each.lines(masked).stream())
                                .toList());
    }

    /** Makes everything so; says how much that was. */
    Result apply() throws TerraformFailed, IOException, InterruptedException {
        Result result = counted(run("apply", with(QUIETLY, "-auto-approve")));
        resources().forEach(resource -> masked.addMarked(resource.values(), resource.marks()));
        return result;
    }

    Result destroy() throws TerraformFailed, IOException, InterruptedException {
        return counted(run("destroy", with(QUIETLY, "-auto-approve")));
    }

    private static Result counted(String output) {
        Matcher counts = COUNTS.matcher(output);
        String note = "";
        while (counts.find()) {
            note = counts.group(1);
        }
        return Result.passed(note);
    }

    List<Resource> resources() throws TerraformFailed, IOException, InterruptedException {
        return Resource.of(terraform.json(copy.folder(), List.of("show", "-json")));
    }

    void forget(String address) throws TerraformFailed, IOException, InterruptedException {
        terraform.run(copy.folder(), List.of("state", "rm", address));
    }

    /** Keeps the state of now aside. */
    void keepState() throws IOException {
        Files.copy(copy.state(), copy.state().resolveSibling(KEPT), StandardCopyOption.REPLACE_EXISTING);
    }

    void putStateBack() throws IOException {
        Files.copy(copy.state().resolveSibling(KEPT), copy.state(), StandardCopyOption.REPLACE_EXISTING);
    }

    void bringIn(String address, String id) throws TerraformFailed, IOException, InterruptedException {
        run("import", QUIETLY, address, id);
    }

    private String run(String command, List<String> options, String... objects)
            throws TerraformFailed, IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(options);
        if (!command.equals("init") && !command.equals("get")) {
            values.ifPresent(file -> arguments.add("-var-file=" + file.toAbsolutePath()));
            arguments.add(ModuleCopy.input());
        }
        arguments.addAll(List.of(objects));
        return terraform.run(copy.folder(), arguments);
    }

    private static List<String> with(List<String> options, String more) {
        return Stream.concat(options.stream(), Stream.of(more)).toList();
    }
}
