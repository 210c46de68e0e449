package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import java.util.List;
import java.util.TreeSet;

/** Checks that the credentials of a source are those that its way of authenticating needs, and no others; pure. */
final class PipeSecretRules {
    private final Tree.Members open;
    private final Tree.Members secret;
    private final Faults faults;

    PipeSecretRules(Tree.Members open, Tree.Members secret, Faults faults) {
        this.open = open;
        this.secret = secret;
        this.faults = faults;
    }

    /** Everything that authenticates under these names must be there, and nothing else of what may be. */
    void requireExactly(String path, List<String> needed, List<String> possible) {
        for (String name : possible) {
            boolean there = secret.has(name) || open.has(name);
            if (needed.contains(name) && !there) {
                faults.add(path + "." + name, "is required by this authentication");
            } else if (!needed.contains(name) && there) {
                faults.add(path + "." + name, "does not belong to this authentication");
            }
        }
    }

    /** The members of {@code credentials} must be exactly these. */
    void requireCredentials(String path, List<String> needed) {
        Tree.Members given = secret.members("credentials").orElse(Tree.Members.NONE);
        if (!new TreeSet<>(needed).equals(new TreeSet<>(given.values().keySet()))) {
            faults.add(
                    path + ".credentials",
                    needed.isEmpty()
                            ? "does not belong to this authentication"
                            : "must be exactly " + String.join(" and ", needed) + " for this authentication");
        }
    }
}
