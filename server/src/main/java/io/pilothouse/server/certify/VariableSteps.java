package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.certify.Step.Result;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Gives each variable another value, one at a time while the others are as they were, and expects an empty plan after
 * each; then all are put back.
 */
final class VariableSteps {
    private static final String NOTHING = "0 added, 0 changed, 0 destroyed";
    private static final Pattern IN_PLACE = Pattern.compile("0 added, [1-9]\\d* changed, 0 destroyed");

    private final Workbench module;
    private final Changes changes;
    private final Report report;
    private Tree.Members worked = Tree.Members.NONE;

    VariableSteps(Workbench module, Changes changes, Report report) {
        this.module = module;
        this.changes = changes;
        this.report = report;
    }

    /** A variable, the value that it has, and whether that is a secret. */
    record Variable(String name, Tree value, boolean secret) {}

    private String shown(Variable variable, Tree other) {
        return variable.secret() ? "(hidden)" : module.shown(other);
    }

    /** Gives a change that worked, if possible one that replaced nothing; an empty one if there was none. */
    Tree.Members run(List<Variable> variables) throws InterruptedException {
        boolean changed = false;
        for (Variable variable : variables) {
            String name = variable.name();
            Changes.Values others =
                    changes.of(name, variable.value(), module.copy().allowed(name));
            if (variable.secret()) {
                others.values().forEach(module::hide);
            }
            if (others.values().isEmpty()) {
                report.skip(
                        name,
                        others.guessed()
                                ? "no other value can be guessed: " + Changes.FILE + " can have some"
                                : "left as it is, as " + Changes.FILE + " has it");
            } else if (others.guessed()) {
                changed |= guess(variable, others.values());
            } else {
                for (Tree value : others.values()) {
                    String title = name + " = " + shown(variable, value);
                    changed |= settled(title, report.take(title, () -> apply(Tree.Members.NONE.with(name, value))));
                }
            }
        }
        if (changed) {
            Result back = report.take("all variables as before", () -> apply(Tree.Members.NONE));
            settled("all variables as before", back);
        }
        return worked;
    }

    private Result apply(Tree.Members values) throws TerraformFailed, IOException, InterruptedException {
        module.set(values);
        Result result = module.apply();
        boolean better =
                worked.values().isEmpty() || IN_PLACE.matcher(result.note()).matches();
        if (better && !values.values().isEmpty() && !NOTHING.equals(result.note())) {
            worked = values;
        }
        return result;
    }

    /** Whether the step was taken at all; then an empty plan must follow. */
    private boolean settled(String title, Result applied) throws InterruptedException {
        if (applied.outcome() == Outcome.PASSED) {
            report.take(title + ": empty plan", module::emptyPlan);
        }
        return applied.outcome() != Outcome.SKIPPED;
    }

    private boolean guess(Variable variable, List<Tree> guesses) throws InterruptedException {
        Guess guess = new Guess(variable, guesses);
        Result applied = report.take(variable.name(), guess::take);
        settled(variable.name(), applied);
        return guess.applied;
    }

    /** Tries one guess after another until one is taken. */
    private final class Guess {
        private final Variable variable;
        private final List<Tree> guesses;
        private boolean applied;

        private Guess(Variable variable, List<Tree> guesses) {
            this.variable = variable;
            this.guesses = guesses;
        }

        private Result take() throws TerraformFailed, IOException, InterruptedException {
            for (Tree value : guesses) {
                Tree.Members values = Tree.Members.NONE.with(variable.name(), value);
                module.set(values);
                if (canBePlanned() && isTaken(values)) {
                    return Result.passed("= " + shown(variable, value));
                }
            }
            module.set(Tree.Members.NONE);
            return Result.skipped("refused with "
                    + guesses.stream().map(each -> shown(variable, each)).collect(Collectors.joining(", ")) + ": "
                    + Changes.FILE
                    + " can have a value");
        }

        private boolean canBePlanned() throws IOException, InterruptedException {
            try {
                module.plan();
                return true;
            } catch (TerraformFailed refused) {
                return false;
            }
        }

        private boolean isTaken(Tree.Members values) throws TerraformFailed, IOException, InterruptedException {
            try {
                applied = true;
                apply(values);
                return true;
            } catch (TerraformFailed e) {
                if (e.isRefusedByApi()) {
                    return false;
                }
                throw e;
            }
        }
    }
}
