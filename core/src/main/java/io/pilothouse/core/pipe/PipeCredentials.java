package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import java.util.Map;

/** Decides which secrets a pipe has after a change; pure. */
record PipeCredentials(PipeKind kind, Faults faults) {
    private static final String REGISTRY = "schemaRegistry";
    private static final String SERVICE_ACCOUNT = "SERVICE_ACCOUNT";

    /** New credentials replace the old; another way of authenticating drops those of the way before. */
    Tree.Members change(Tree.Members given, Tree.Members secrets, Tree.Members source, Tree.Members before) {
        String path = "source." + kind.member();
        if (given.has(REGISTRY) && !given.find(REGISTRY).equals(secrets.find(REGISTRY))) {
            faults.add(path + "." + REGISTRY + ".credentials", "cannot be changed: make another pipe instead");
        }
        String way = source.text("authentication").orElse("");
        String wayBefore = before.text("authentication").orElse("");
        if (way.equals(wayBefore)) {
            return secrets.over(given);
        }
        if (way.equals(SERVICE_ACCOUNT) || wayBefore.equals(SERVICE_ACCOUNT)) {
            faults.add(
                    path + ".authentication",
                    "cannot be changed to or from SERVICE_ACCOUNT: make another pipe instead");
        }
        return onlyRegistry(secrets).over(given);
    }

    private static Tree.Members onlyRegistry(Tree.Members secrets) {
        return secrets.find(REGISTRY)
                .map(registry -> new Tree.Members(Map.of(REGISTRY, registry)))
                .orElse(Tree.Members.NONE);
    }
}
