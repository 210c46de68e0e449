package io.pilothouse.testkit.api;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AnnotationKeyword;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.path.PathType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Turns an OpenAPI 3.1 document into operations; a document that points to nothing or names an id twice is refused. */
final class ContractDocument {
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");
    private static final String UNDOCUMENTED = "x-pilothouse-undocumented";

    private final JsonNode document;
    private final Schema root;
    private final Map<NodePath, Schema> compiled = new LinkedHashMap<>();

    ContractDocument(JsonNode document) {
        this.document = document;
        requireReferences(document, "");
        root = SchemaRegistry.withDialect(dialect()).getSchema(SchemaLocation.of("urn:contract"), document);
    }

    /** The words of a document around its schemas say nothing about values, and are no reason for a warning. */
    private static Dialect dialect() {
        return Dialect.builder(Dialects.getOpenApi31())
                .unknownKeywordFactory((word, context) -> new AnnotationKeyword(word))
                .build();
    }

    List<ContractOperation> operations() {
        Map<String, ContractOperation> byId = new LinkedHashMap<>();
        NodePath paths = pointer().append("paths");
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> member : path.getValue().properties()) {
                if (METHODS.contains(member.getKey())) {
                    NodePath at = paths.append(path.getKey()).append(member.getKey());
                    ContractOperation operation = operation(path.getKey(), member.getKey(), member.getValue(), at);
                    if (byId.put(operation.id(), operation) != null) {
                        throw new IllegalArgumentException("Two operations are called " + operation.id());
                    }
                }
            }
        }
        return List.copyOf(byId.values());
    }

    /** The allowed answers to a path or a method that is not in the document. */
    Map<Integer, ContractOperation.Answer> undocumented() {
        return answers(document.path(UNDOCUMENTED), pointer().append(UNDOCUMENTED));
    }

    private ContractOperation operation(String path, String method, JsonNode operation, NodePath at) {
        String id = operation.path("operationId").asString("");
        if (id.isEmpty()) {
            throw new IllegalArgumentException(method + " " + path + " has no operationId");
        }
        return new ContractOperation(
                id,
                method,
                List.of(path.split("/", -1)),
                new ContractOperation.Request(
                        operation.path("requestBody").path("required").asBoolean(false),
                        bodies(operation.path("requestBody"), at.append("requestBody"))),
                answers(operation, at));
    }

    private Map<Integer, ContractOperation.Answer> answers(JsonNode parent, NodePath at) {
        Map<Integer, ContractOperation.Answer> answers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> status : parent.path("responses").properties()) {
            NodePath place = at.append("responses").append(status.getKey());
            answers.put(
                    Integer.valueOf(status.getKey()), new ContractOperation.Answer(bodies(status.getValue(), place)));
        }
        return Map.copyOf(answers);
    }

    private Map<String, Schema> bodies(JsonNode holder, NodePath at) {
        String reference = holder.path("$ref").asString("");
        if (!reference.isEmpty()) {
            return bodies(document.at(reference.substring(1)), pointer(reference));
        }
        Map<String, Schema> bodies = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> media : holder.path("content").properties()) {
            NodePath place = at.append("content").append(media.getKey()).append("schema");
            bodies.put(media.getKey(), compiled.computeIfAbsent(place, root::getRefSchema));
        }
        return Map.copyOf(bodies);
    }

    private void requireReferences(JsonNode node, String at) {
        String reference = node.path("$ref").asString("");
        if (!reference.isEmpty()
                && (!reference.startsWith("#/")
                        || document.at(reference.substring(1)).isMissingNode())) {
            throw new IllegalArgumentException(at + " points to " + reference + ", which is not there");
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            requireReferences(member.getValue(), at + "/" + member.getKey());
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            requireReferences(node.get(i), at + "/" + i);
        }
    }

    private static NodePath pointer() {
        return new NodePath(PathType.JSON_POINTER);
    }

    private static NodePath pointer(String reference) {
        NodePath path = pointer();
        List<String> names = new ArrayList<>(List.of(reference.split("/", -1)));
        for (String name : names.subList(1, names.size())) {
            path = path.append(name.replace("~1", "/").replace("~0", "~"));
        }
        return path;
    }
}
