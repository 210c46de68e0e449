package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.TreeBytes;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.secret.Vault;

/** Opens the credentials of a pipe at the moment a worker is given them. */
final class PipeSecrets {
    private final Vault vault;

    PipeSecrets(Vault vault) {
        this.vault = vault;
    }

    Tree.Members of(Pipe pipe) {
        String sealed = pipe.sealedSecrets();
        return sealed == null ? Tree.Members.NONE : TreeBytes.read(vault.open(sealed, PipeOperations.context(pipe)));
    }
}
