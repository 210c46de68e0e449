package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.certify.Step.Result;
import io.pilothouse.server.client.CommandRefused;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The steps of one certification: what users of a module will do with it, in the order in which they do it. Whatever
 * fails, what was made is destroyed and looked for at the end.
 */
final class Certification {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int LOOKS = 20;

    private final Workbench module;
    private final Changes changes;
    private final Organization organization;
    private final Controls controls;
    private final Place place;
    private final Path folder;
    private final Report report;
    private volatile boolean mayHaveLeft;

    /** {@code folder} is a place for a second state, where nothing is yet. */
    Certification(
            Workbench module,
            Changes changes,
            Organization organization,
            Controls controls,
            Place place,
            Path folder,
            Report report) {
        this.module = module;
        this.changes = changes;
        this.organization = organization;
        this.controls = controls;
        this.place = place;
        this.folder = folder;
        this.report = report;
    }

    /** Whether there may be things that only the state of this run knows. */
    boolean mayHaveLeft() {
        return mayHaveLeft;
    }

    /** Takes every step; {@code before} is what was in the organization, {@code environment} that of Terraform. */
    void run(Set<String> before, Map<String, String> environment) throws InterruptedException {
        if (!report.take("init", () -> module.init(environment)).isFine()) {
            return;
        }
        List<VariableSteps.Variable> variables = new ArrayList<>();
        if (!report.take("plan", () -> firstPlan(variables)).isFine()) {
            return;
        }
        mayHaveLeft = true;
        boolean settled = report.take("apply", module::apply).isFine()
                && report.take("empty plan", module::emptyPlan).isFine();
        if (settled) {
            Tree.Members change = new VariableSteps(module, changes, report).run(variables);
            new FaultSteps(module, controls, report).run(change);
            new ImportSteps(module, folder, report).run();
        }
        if (report.take("destroy", module::destroy).isFine()) {
            mayHaveLeft = false;
        }
        report.take("nothing left", () -> nothingLeft(before));
    }

    /** Shows what the variables are, and where the providers would go: nowhere but here. */
    private Result firstPlan(List<VariableSteps.Variable> variables)
            throws TerraformFailed, IOException, InterruptedException {
        module.set(Tree.Members.NONE);
        Tree.Members plan = module.plan();
        Optional<String> stray = Difference.strayAddress(plan, place.api());
        if (stray.isPresent()) {
            return Result.failed(
                    "another API",
                    List.of(
                            "The provider is told to use " + stray.get() + " and not " + place.api() + ".",
                            "Leave api_url out, or make it var.api_url."));
        }
        for (String name : module.copy().variables()) {
            Optional<Tree> value = Workbench.value(plan, name);
            if (!module.isOurs(name) && value.isPresent()) {
                variables.add(new VariableSteps.Variable(name, value.get(), Workbench.isSecret(plan, name)));
            }
        }
        int resources = Difference.of(plan).size();
        return Result.passed(counted(resources, "resource") + ", " + counted(variables.size(), "variable"));
    }

    private static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private Result nothingLeft(Set<String> before) throws CommandRefused, InterruptedException {
        Set<String> left = Set.of();
        for (int look = 0; look < LOOKS; look++) {
            left = new TreeSet<>(organization.things());
            left.removeAll(before);
            if (left.isEmpty()) {
                return Result.passed("");
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
        return Result.failed(counted(left.size(), "thing") + " left in the organization", List.copyOf(left));
    }
}
