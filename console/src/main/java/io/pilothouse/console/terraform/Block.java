package io.pilothouse.console.terraform;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.List;

/** One resource of Terraform, attribute by attribute; what the request does not say is left out. */
final class Block {
    /** Stands in a block for everything else that the resource has. */
    static final String REST = "# ...";

    private final String resource;
    private final String label;
    private final Tree.Members body;
    private final List<String> lines = new ArrayList<>();
    private boolean rest;

    private Block(String resource, String label, Tree.Members body) {
        this.resource = resource;
        this.label = label;
        this.body = body;
    }

    static Block of(String resource, Tree.Members body) {
        return new Block(resource, "this", body);
    }

    static Block of(String resource, String label, Tree.Members body) {
        return new Block(resource, label, body);
    }

    /** It has more than the request says. */
    Block partly() {
        rest = true;
        return this;
    }

    /** Members of the body that are attributes of the same names. */
    Block taking(String... members) {
        for (String member : members) {
            as(Hcl.snake(member), member);
        }
        return this;
    }

    /** A member that is an attribute of another name. */
    Block as(String attribute, String member) {
        body.find(member).ifPresent(value -> with(attribute, value));
        return this;
    }

    /** The same for an attribute that the resource must have. */
    Block as(String attribute, String member, String otherwise) {
        return with(attribute, body.find(member).orElse(new Tree.Text(otherwise)));
    }

    Block with(String attribute, Tree value) {
        return with(attribute, Hcl.of(value));
    }

    Block with(String attribute, String expression) {
        lines.add("  " + attribute + " = " + expression + "\n");
        return this;
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    String text() {
        return "resource \"" + resource + "\" \"" + label + "\" {\n" + (rest ? "  " + REST + "\n" : "")
                + String.join("", lines) + "}";
    }
}
