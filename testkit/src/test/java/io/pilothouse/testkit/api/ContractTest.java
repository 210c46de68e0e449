package io.pilothouse.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ContractTest {
    private static final String JSON = "application/json";
    private static final String DOCUMENT = """
            {
              "openapi": "3.1.1",
              "info": {"title": "Shelf", "version": "1"},
              "paths": {
                "/books/{bookId}": {
                  "get": {"operationId": "bookGet", "responses": {
                    "200": {"$ref": "#/components/responses/Book"},
                    "304": {"description": "Not modified"},
                    "404": {"$ref": "#/components/responses/Fault"}}},
                  "put": {"operationId": "bookPut",
                    "requestBody": {"required": true, "content": {"application/json": {"schema": {
                      "type": "object", "required": ["pages"],
                      "properties": {"pages": {"type": "integer", "minimum": 1}}}}}},
                    "responses": {
                      "200": {"$ref": "#/components/responses/Book"},
                      "400": {"$ref": "#/components/responses/Fault"}}}
                },
                "/books/newest": {
                  "get": {"operationId": "bookNewest",
                    "responses": {"200": {"$ref": "#/components/responses/Book"}}},
                  "post": {"operationId": "bookRenew",
                    "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                    "responses": {"200": {"description": "Done"}}}
                }
              },
              "components": {
                "schemas": {
                  "Book": {"type": "object", "additionalProperties": false, "required": ["id", "pages"],
                    "properties": {"id": {"type": "string"}, "pages": {"type": "number"}, "tags": {"type": "array",
                      "items": {"type": "string"}}}},
                  "Fault": {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}
                },
                "responses": {
                  "Book": {"description": "A book", "content": {"application/json": {"schema":
                    {"$ref": "#/components/schemas/Book"}}}},
                  "Fault": {"description": "No", "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Fault"}},
                    "application/problem+json": {"schema": {"type": "object", "required": ["title"]}}}}
                }
              },
              "x-pilothouse-undocumented": {"responses": {
                "404": {"$ref": "#/components/responses/Fault"}, "405": {"$ref": "#/components/responses/Fault"}}}
            }
            """;
    private static final String BOOK = """
            {"id": "a", "pages": 3, "tags": ["x"]}""";
    private static final String FAULT = """
            {"message": "no"}""";

    private final Contract contract = Contract.of(DOCUMENT.getBytes(StandardCharsets.UTF_8));

    @Test
    void goodAnswerPasses() {
        assertThat(get(200, BOOK)).isEmpty();
        assertThat(get(404, FAULT)).isEmpty();
        assertThat(get(304, null)).isEmpty();
        assertThat(get(304, "")).isEmpty();
    }

    @Test
    void missingRequiredFieldIsFlagged() {
        assertThat(get(200, "{\"id\": \"a\"}")).singleElement().asString().contains("bookGet", "status 200", "pages");
    }

    @Test
    void strayFieldIsFlagged() {
        assertThat(get(200, "{\"id\": \"a\", \"pages\": 1, \"secret\": \"s\"}"))
                .singleElement()
                .asString()
                .contains("'secret'");
    }

    @Test
    void wrongTypeIsFlaggedWithItsPlace() {
        assertThat(get(200, "{\"id\": \"a\", \"pages\": 1, \"tags\": [\"x\", 7]}"))
                .singleElement()
                .asString()
                .contains("/tags/1", "string expected");
    }

    @Test
    void undeclaredStatusIsFlagged() {
        assertThat(get(418, FAULT)).containsExactly("bookGet, status 418: the status is not declared");
    }

    @Test
    void unknownPathAndMethodAreFlaggedWhenTheyAreServed() {
        assertThat(contract.check(new ContractExchange("GET", "/shelves", null, null, 200, JSON, BOOK)))
                .containsExactly("GET /shelves (not in the document), status 200: the status is not declared");
        assertThat(contract.check(new ContractExchange("DELETE", "/books/a", null, null, 200, JSON, BOOK)))
                .hasSize(1);
    }

    @Test
    void unknownPathAndMethodAreFineWhenTheyAreRefusedInTheRightShape() {
        assertThat(contract.check(new ContractExchange("GET", "/shelves", null, null, 404, JSON, FAULT)))
                .isEmpty();
        assertThat(contract.check(new ContractExchange("DELETE", "/books/a", null, null, 405, JSON, FAULT)))
                .isEmpty();
        assertThat(contract.check(new ContractExchange("GET", "/shelves", null, null, 404, JSON, "{}")))
                .hasSize(1);
    }

    @Test
    void documentThatSaysNothingAboutTheUndocumentedAllowsNoAnswerToIt() {
        String strict = DOCUMENT.replace("x-pilothouse-undocumented", "x-something");
        Contract judge = Contract.of(strict.getBytes(StandardCharsets.UTF_8));
        assertThat(judge.check(new ContractExchange("GET", "/shelves", null, null, 404, JSON, FAULT)))
                .hasSize(1);
    }

    @Test
    void headIsGetWithoutABody() {
        assertThat(contract.operationFor("HEAD", "/books/a")).contains("bookGet");
        assertThat(contract.check(new ContractExchange("HEAD", "/books/a", null, null, 200, JSON, "")))
                .isEmpty();
        assertThat(contract.check(new ContractExchange("HEAD", "/books/a", null, null, 200, JSON, BOOK)))
                .hasSize(1);
        assertThat(contract.check(new ContractExchange("HEAD", "/books/a", null, null, 418, JSON, null)))
                .hasSize(1);
    }

    @Test
    void bodyWhereNoneIsDeclaredIsFlagged() {
        assertThat(get(304, BOOK)).hasSize(1);
    }

    @Test
    void noBodyWhereOneIsDeclaredIsFlagged() {
        assertThat(get(200, null)).containsExactly("bookGet, status 200: answer has no body");
        assertThat(get(200, " ")).containsExactly("bookGet, status 200: answer is empty");
    }

    @Test
    void mediaTypeIsComparedWithoutItsParameters() {
        assertThat(answered(200, "Application/JSON; charset=utf-8", BOOK)).isEmpty();
        assertThat(answered(200, "text/html", BOOK)).singleElement().asString().contains("text/html");
        assertThat(answered(200, null, BOOK)).hasSize(1);
    }

    @Test
    void eachMediaTypeHasItsOwnSchema() {
        assertThat(answered(404, "application/problem+json", "{\"title\": \"no\"}"))
                .isEmpty();
        assertThat(answered(404, "application/problem+json", FAULT)).hasSize(1);
    }

    @Test
    void answerThatIsNotOneJsonTextIsFlagged() {
        assertThat(get(200, "<html>")).singleElement().asString().contains("not one JSON text");
        assertThat(get(200, BOOK + "}")).hasSize(1);
        assertThat(get(200, "{\"id\": \"a\", \"id\": \"b\", \"pages\": 1}")).hasSize(1);
    }

    @Test
    void wholeNumberPrintedWithAFractionIsFlagged() {
        assertThat(get(200, "{\"id\": \"a\", \"pages\": 8.0}"))
                .singleElement()
                .asString()
                .contains("/pages");
        assertThat(get(200, "{\"id\": \"a\", \"pages\": 8.5}")).isEmpty();
    }

    @Test
    void acceptedRequestMustBeOneThatTheDocumentAllows() {
        assertThat(put(200, "{\"pages\": 2, \"unknown\": true}")).isEmpty();
        assertThat(put(200, "{\"pages\": 2.0}")).isEmpty();
        assertThat(put(200, "{\"pages\": 0}")).singleElement().asString().contains("accepted a request", "/pages");
        assertThat(put(200, "{\"pages\": 2.5}")).hasSize(1);
        assertThat(put(200, "{\"pages\": 2, \"pages\": 3}")).hasSize(1);
        assertThat(put(200, null)).hasSize(1);
        assertThat(contract.check(
                        new ContractExchange("PUT", "/books/a", "text/plain", "{\"pages\": 2}", 200, JSON, BOOK)))
                .hasSize(1);
    }

    @Test
    void refusedRequestIsNotJudged() {
        assertThat(contract.check(new ContractExchange("PUT", "/books/a", JSON, "{", 400, JSON, FAULT)))
                .isEmpty();
    }

    @Test
    void requestsAreNotJudgedWhenTheServersRulesAreWider() {
        ContractExchange wide = new ContractExchange("PUT", "/books/a", JSON, "{\"pages\": 0}", 200, JSON, BOOK);
        assertThat(contract.withoutRequestChecks().check(wide)).isEmpty();
        ContractExchange bad = new ContractExchange("PUT", "/books/a", JSON, "{\"pages\": 0}", 200, JSON, "{}");
        assertThat(contract.withoutRequestChecks().check(bad)).isNotEmpty();
    }

    @Test
    void bodyThatMayBeLeftOutMayBeLeftOut() {
        assertThat(contract.check(new ContractExchange("POST", "/books/newest", null, null, 200, null, null)))
                .isEmpty();
        assertThat(contract.check(new ContractExchange("POST", "/books/newest", JSON, "[]", 200, null, null)))
                .hasSize(1);
    }

    @Test
    void operationIsFoundByMethodAndPath() {
        assertThat(contract.operationFor("get", "/books/a?page=2")).contains("bookGet");
        assertThat(contract.operationFor("GET", "/books/newest")).contains("bookNewest");
        assertThat(contract.operationFor("PUT", "/books/a")).contains("bookPut");
        // "newest" is a path of its own, so no book has that name.
        assertThat(contract.operationFor("PUT", "/books/newest")).isEmpty();
        assertThat(contract.operationFor("GET", "/books/")).isEmpty();
        assertThat(contract.operationFor("GET", "/books")).isEmpty();
        assertThat(contract.operationFor("PATCH", "/books/a")).isEmpty();
    }

    @Test
    void operationsAreListed() {
        assertThat(contract.operationIds()).containsExactly("bookGet", "bookPut", "bookNewest", "bookRenew");
    }

    @Test
    void documentWithAFaultIsRefused() {
        assertThatThrownBy(() -> changed("#/components/schemas/Book", "#/components/schemas/Tome"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Tome");
        assertThatThrownBy(() -> changed("#/components/schemas/Book", "other.json#/Book"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> changed("bookPut", "bookGet"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bookGet");
        assertThatThrownBy(() -> changed("\"operationId\": \"bookPut\",", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/books/{bookId}");
    }

    @Test
    void manyThreadsMayAskAtOnce() {
        List<List<String>> verdicts = IntStream.range(0, 2000)
                .parallel()
                .mapToObj(i -> i % 2 == 0 ? get(200, BOOK) : get(200, "{\"id\": 1, \"pages\": 1}"))
                .toList();
        for (int i = 0; i < verdicts.size(); i++) {
            assertThat(verdicts.get(i)).hasSize(i % 2);
        }
    }

    private static Contract changed(String from, String to) {
        return Contract.of(DOCUMENT.replace(from, to).getBytes(StandardCharsets.UTF_8));
    }

    private List<String> get(int status, @Nullable String body) {
        return answered(status, body == null ? null : JSON, body);
    }

    private List<String> answered(int status, @Nullable String type, @Nullable String body) {
        return contract.check(new ContractExchange("GET", "/books/a", null, null, status, type, body));
    }

    private List<String> put(int status, @Nullable String request) {
        return contract.check(new ContractExchange("PUT", "/books/a", JSON, request, status, JSON, BOOK));
    }
}
