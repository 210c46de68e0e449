package io.pilothouse.http.document;

import io.pilothouse.core.base.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What operations of one sort have in common: the header they take, the refusals, and the envelope of an answer. */
final class UsualAnswers {
    /** Of every operation on something that is named in the path. */
    private static final Map<String, String> REFUSALS = Map.of(
            "400", "BadRequest",
            "401", "Unauthorized",
            "403", "Forbidden",
            "404", "NotFound",
            "413", "PayloadTooLarge",
            "415", "UnsupportedMediaType",
            "429", "TooManyRequests",
            "500", "InternalError",
            "503", "Unavailable");

    private UsualAnswers() {}

    /** An operation that reads one thing. */
    static Tree.Members reads(Tree answer) {
        return operation("IfNoneMatch", answer, Map.of("304", "NotModified"));
    }

    /** An operation that reads what has no entity tag. */
    static Tree.Members lists(Tree answer) {
        return Tree.Members.NONE.with("responses", responses(answer, Map.of()));
    }

    /** An operation that changes or deletes one thing. */
    static Tree.Members changes(Tree answer) {
        return operation("IfMatch", answer, Map.of("409", "Conflict", "412", "PreconditionFailed"));
    }

    /** An operation that may be sent again under the same key. */
    static Tree.Members creates(Tree answer) {
        return operation("IdempotencyKey", answer, Map.of("409", "Conflict", "422", "Unprocessable"));
    }

    private static Tree.Members operation(String parameter, Tree answer, Map<String, String> more) {
        return Tree.Members.NONE
                .with("parameters", new Tree.Items(List.of(reference("parameters", parameter))))
                .with("responses", responses(answer, more));
    }

    private static Tree.Members responses(Tree answer, Map<String, String> more) {
        Map<String, Tree> responses = new LinkedHashMap<>();
        responses.put("200", reference("responses", name(answer)));
        REFUSALS.forEach((status, name) -> responses.put(status, reference("responses", name)));
        more.forEach((status, name) -> responses.put(status, reference("responses", name)));
        return new Tree.Members(responses);
    }

    /** An answer with one thing that has an entity tag. */
    static Tree.Members tagged(Tree schema) {
        return envelope(reference("schemas", name(schema)), "X-Request-Id", "ETag");
    }

    static Tree.Members result(Tree schema) {
        return envelope(reference("schemas", name(schema)), "X-Request-Id");
    }

    static Tree.Members list(Tree schema) {
        return envelope(
                object("type", new Tree.Text("array"), "items", reference("schemas", name(schema))), "X-Request-Id");
    }

    private static Tree.Members envelope(Tree result, String... headers) {
        Tree.Members declared = Tree.Members.NONE;
        for (String header : headers) {
            declared = declared.with(header, reference("headers", header));
        }
        Tree.Members members = object(
                "status", object("const", new Tree.Figure(200)),
                "requestId", reference("schemas", "RequestId"),
                "result", result);
        Tree.Members schema = object(
                "type",
                new Tree.Text("object"),
                "additionalProperties",
                new Tree.Flag(false),
                "required",
                Tree.Items.texts(List.copyOf(members.values().keySet())),
                "properties",
                members);
        return object("headers", declared, "content", object("application/json", object("schema", schema)));
    }

    private static Tree.Members reference(String kind, String name) {
        return object("$ref", new Tree.Text("#/components/" + kind + "/" + name));
    }

    private static Tree.Members object(Object... namesAndValues) {
        Map<String, Tree> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], (Tree) namesAndValues[i + 1]);
        }
        return new Tree.Members(members);
    }

    private static String name(Tree value) {
        if (value instanceof Tree.Text(String name)) {
            return name;
        }
        throw new IllegalStateException("A mark must name an answer or a schema, not " + value);
    }
}
