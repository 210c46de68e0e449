package io.pilothouse.server.certify;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.server.client.CommandRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which other values the variables are given: as the user's file lists them, or else guessed. */
record Changes(Tree.Members given) {
    static final String FILE = "certify.tfvars.json";

    /** One variable's other values; a guess that is refused does not speak against the module. */
    record Values(List<Tree> values, boolean guessed) {}

    /** Those of a file, or of the one that lies in the module; none where there is neither. */
    static Changes read(Path module, Optional<Path> named, Set<String> variables) throws CommandRefused {
        Path file = named.orElse(module.resolve(FILE));
        if (named.isEmpty() && !Files.exists(file)) {
            return new Changes(Tree.Members.NONE);
        }
        try {
            Faults faults = new Faults();
            Tree.Members given = JsonReader.readObject(Files.readAllBytes(file), faults);
            faults.refuseIfAny();
            for (String name : given.values().keySet()) {
                if (!variables.contains(name)) {
                    throw new CommandRefused(
                            file + " has values for " + name + ", which is no variable of the module.");
                }
                if (!(given.find(name).orElseThrow() instanceof Tree.Items)) {
                    throw new CommandRefused(
                            file + " has no list for " + name + ": it has a list of other values for each variable.");
                }
            }
            return new Changes(given);
        } catch (Refused e) {
            throw new CommandRefused(file + " cannot be read: " + e.sentence(), e);
        } catch (IOException e) {
            throw new CommandRefused(file + " cannot be read.", e);
        }
    }

    Values of(String variable, Tree value, List<String> allowed) {
        return given.has(variable)
                ? new Values(given.items(variable), false)
                : new Values(OtherValues.of(value, allowed), true);
    }
}
