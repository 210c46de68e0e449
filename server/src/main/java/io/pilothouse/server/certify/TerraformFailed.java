package io.pilothouse.server.certify;

import java.util.List;

/** A run of Terraform that did not succeed: which, and what it said. */
final class TerraformFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final String command;
    private final transient List<String> lines;

    TerraformFailed(String command, List<String> lines) {
        super(command + ": " + String.join("\n", lines));
        this.command = command;
        this.lines = List.copyOf(lines);
    }

    String command() {
        return command;
    }

    /** The error without its frame. */
    List<String> lines() {
        return lines;
    }

    boolean says(String words) {
        return String.join(" ", lines).contains(words);
    }

    /** Whether the API refused what it was asked for, so that the request was at fault and not the module. */
    boolean isRefusedByApi() {
        return String.join(" ", lines).matches("(?s).*status:? *4(00|22)\\b.*");
    }
}
