package io.pilothouse.server.certify;

import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.certify.Step.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Forgets each resource of ClickHouse's in a second state and takes it up by its id. Only what the API does not show
 * may be missing then, and once that is written again the plan is empty.
 */
final class ImportSteps {
    private static final List<String> NOT_IMPORTABLE =
            List.of("Resource Import Not Implemented", "does not support import", "doesn't support import");

    private final Workbench module;
    private final Path folder;
    private final Report report;

    ImportSteps(Workbench module, Path folder, Report report) {
        this.module = module;
        this.folder = folder;
        this.report = report;
    }

    void run() throws InterruptedException {
        List<Resource> resources = new ArrayList<>();
        List<Workbench> second = new ArrayList<>();
        Result made = report.take("second state", () -> {
            module.resources().stream().filter(Resource::isOfClickHouse).forEach(resources::add);
            second.add(module.withStateOfItsOwn(folder));
            return resources.isEmpty()
                    ? Result.skipped("nothing in it is ClickHouse's")
                    : Result.passed(resources.size() + " to import");
        });
        if (made.outcome() != Outcome.PASSED) {
            return;
        }
        Workbench other = second.getFirst();
        boolean imported = false;
        for (Resource resource : resources) {
            Result result = report.take("import " + resource.address(), () -> bringIn(other, resource));
            imported |= result.outcome() == Outcome.PASSED;
        }
        if (imported
                && report.take("imported: plan", () -> onlyUnknown(other)).isFine()
                && report.take("imported: apply", other::apply).isFine()) {
            report.take("imported: empty plan", other::emptyPlan);
        }
    }

    private static Result bringIn(Workbench other, Resource resource)
            throws TerraformFailed, IOException, InterruptedException {
        if (resource.importIds().isEmpty()) {
            return Result.skipped("it has no id");
        }
        other.keepState();
        other.forget(resource.address());
        TerraformFailed last = null;
        for (String id : resource.importIds()) {
            try {
                other.bringIn(resource.address(), id);
                return Result.passed("");
            } catch (TerraformFailed e) {
                if (NOT_IMPORTABLE.stream().anyMatch(e::says)) {
                    other.putStateBack();
                    return Result.skipped("its provider cannot import it");
                }
                // The first name is the likeliest, so its failure says most.
                last = last == null ? e : last;
            }
        }
        other.putStateBack();
        if (last == null) {
            throw new IllegalStateException("Something was tried");
        }
        throw last;
    }

    private static Result onlyUnknown(Workbench other) throws TerraformFailed, IOException, InterruptedException {
        List<Difference> differences = Difference.of(other.plan());
        List<Difference> wrong =
                differences.stream().filter(each -> !each.isOnlyUnknown()).toList();
        if (!wrong.isEmpty()) {
            return other.verdict(wrong);
        }
        TreeSet<String> unknown = new TreeSet<>();
        differences.stream()
                .flatMap(each -> each.attributes().stream())
                .filter(Difference.Attribute::wasUnknown)
                .forEach(attribute -> unknown.add(attribute.path()));
        return Result.passed(unknown.isEmpty() ? "" : "not shown by the API: " + String.join(", ", unknown));
    }
}
