package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.certify.Step.Result;
import io.pilothouse.server.client.CommandRefused;
import java.io.IOException;
import java.util.List;

/**
 * Lets requests go wrong while a change is applied. The apply may fail then; the next one must go through, and an empty
 * plan must follow.
 */
final class FaultSteps {
    /** The operations whose answer is lost after they were done: a lost read would only be read again. */
    private static final List<String> CHANGES = List.of(
            "instanceUpdate",
            "instanceReplicaScalingUpdate",
            "instancePasswordUpdate",
            "clickPipeUpdate",
            "clickPipeScalingUpdate");

    /** An even number: the last one meets the change on its way back. */
    private static final List<Fault> ALL = List.of(
            new Fault("429 three times", fault("busy", "answer", 3).with("status", new Tree.Figure(429))),
            new Fault("503 twice", fault("unavailable", "answer", 2).with("status", new Tree.Figure(503))),
            new Fault("two requests cut off", fault("cut", "cut-before", 2)),
            new Fault(
                    "a change without its answer",
                    fault("lost-answer", "cut-after", 1).with("operations", Tree.Items.texts(CHANGES))));

    private final Workbench module;
    private final Controls controls;
    private final Report report;

    private record Fault(String words, Tree.Members body) {
        private String name() {
            return body.text("name").orElseThrow();
        }
    }

    FaultSteps(Workbench module, Controls controls, Report report) {
        this.module = module;
        this.controls = controls;
        this.report = report;
    }

    private static Tree.Members fault(String name, String effect, int count) {
        return Tree.Members.NONE
                .with("name", new Tree.Text("certify-" + name))
                .with("effect", new Tree.Text(effect))
                .with("count", new Tree.Figure(count));
    }

    /** {@code change} is one that was applied before; it is made under one fault and taken back under the next. */
    void run(Tree.Members change) throws InterruptedException {
        Result begun = report.take(
                "faults",
                () -> controls.areThere()
                        ? Result.passed(ALL.size() + " to come")
                        : Result.skipped("this Pilothouse has no controls for faults"));
        if (begun.outcome() != Outcome.PASSED) {
            return;
        }
        boolean changed = false;
        for (Fault fault : ALL) {
            changed = !changed;
            Tree.Members values = changed ? change : Tree.Members.NONE;
            if (report.take("fault: " + fault.words(), () -> under(fault, values))
                            .outcome()
                    == Outcome.PASSED) {
                report.take("fault: " + fault.words() + ": empty plan", module::emptyPlan);
            }
        }
    }

    private Result under(Fault fault, Tree.Members values)
            throws TerraformFailed, CommandRefused, IOException, InterruptedException {
        module.set(values);
        controls.set(fault.body());
        TerraformFailed failure = null;
        int struck;
        try {
            module.apply();
        } catch (TerraformFailed e) {
            failure = e;
        } finally {
            struck = controls.take(fault.name());
        }
        if (failure != null && struck == 0) {
            throw failure;
        }
        if (failure != null) {
            module.apply();
        }
        return struck == 0
                ? Result.skipped("it met no request")
                : Result.passed(failure == null ? "withstood" : "the apply failed, the next one went through");
    }
}
