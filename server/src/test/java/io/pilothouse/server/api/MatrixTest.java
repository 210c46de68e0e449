package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every route of the table, tried by every role and by everybody who has no business there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MatrixTest {
    private static final String NOWHERE = "00000000-0000-4000-8000-000000000000";

    @RegisterExtension
    static final House house = House.start();

    private final MatrixExamples examples = new MatrixExamples();
    private final Tenant home = new Tenant(house, house.homeId(), house.root());
    private final Tenant stranger = house.tenant();
    private final List<Actor> actors = Stream.of(Word.values()).map(this::actor).toList();

    /** The roles as the contract has them, not as the program does. */
    enum Word {
        ADMIN,
        DEVELOPER,
        QUERY_ENDPOINTS,
        OPERATOR;

        boolean allows(Permission right) {
            if (right == Permission.IDENTITY_READ) {
                return true;
            }
            return switch (this) {
                case ADMIN -> right != Permission.ORGANIZATION_CREATE;
                case DEVELOPER ->
                    right.name().endsWith("_READ")
                            || right.name().matches("SERVICE_(LIST|CREATE|UPDATE|WRITE)|PIPE_WRITE|BACKUP_WRITE")
                            || right.name().matches("(SCALING|ACCESS_LIST|PRIVATE_ENDPOINT|QUERY_ENDPOINT)_WRITE");
                case QUERY_ENDPOINTS -> false;
                case OPERATOR -> right == Permission.ORGANIZATION_CREATE || right == Permission.ORGANIZATION_READ;
            };
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A role with a good key, and with keys that are no good for one reason each. */
    private record Actor(Word word, Tenant tenant, ApiCaller caller, Map<String, ApiCaller> unknown) {}

    private Actor actor(Word word) {
        // Only the first key can hand out the operator's role, and only in its own organization.
        Tenant tenant = word == Word.OPERATOR ? home : house.tenant();
        JsonNode good = tenant.newKey(word.word());
        JsonNode disabled = tenant.newKey(word.word());
        change(tenant, disabled, "{'state': 'disabled'}");
        JsonNode expired = tenant.newKey(word.word());
        change(tenant, expired, "{'expireAt': '2025-01-01T00:00:00Z'}");
        Map<String, ApiCaller> unknown = Map.of(
                "no key", house.nobody(),
                "a wrong secret",
                        house.as(ApiCredentials.basic(good.path("keyId").asString(), "x".repeat(48))),
                "a disabled key", tenant.with(disabled),
                "an expired key", tenant.with(expired));
        return new Actor(word, tenant, tenant.with(good), unknown);
    }

    private static void change(Tenant tenant, JsonNode key, String body) {
        tenant.admin()
                .patch(tenant.keys() + "/" + key.path("key").path("id").asString(), body)
                .ok();
    }

    Stream<Route> routes() {
        return house.entrances().stream().filter(Route.class::isInstance).map(Route.class::cast);
    }

    private ApiAnswer ask(ApiCaller caller, Route route, String organizationId, Map<String, String> parameters) {
        String path = route.path().replace("{organizationId}", organizationId);
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            path = path.replace("{" + parameter.getKey() + "}", parameter.getValue());
        }
        assertThat(path)
                .as("every parameter of %s has a value", route.operationId())
                .doesNotContain("{");
        return caller.send(route.verb().name(), path + MatrixExamples.query(route), MatrixExamples.body(route));
    }

    private Map<String, String> needs(Route route, Tenant tenant) {
        // How these things are made is what other tests are about.
        return examples.needs(route, tenant.inACrowd());
    }

    private static Map<String, String> missing(Map<String, String> parameters) {
        Map<String, String> missing = new HashMap<>(parameters);
        missing.replaceAll((name, value) -> NOWHERE);
        return missing;
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aRoleMayDoWhatTheContractSaysAndNothingElse(Route route) {
        for (Actor actor : actors) {
            Tenant own = actor.tenant();
            ApiAnswer answer = ask(actor.caller(), route, own.id(), needs(route, own));
            if (actor.word().allows(route.permission())) {
                assertThat(answer.status()).as("%s as %s", answer, actor.word()).isEqualTo(200);
            } else {
                answer.refused(403, "FORBIDDEN");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void everyUnknownCallerGetsTheSameAnswer(Route route) {
        String first = null;
        for (Actor actor : actors) {
            Map<String, String> needs = needs(route, actor.tenant());
            for (Map.Entry<String, ApiCaller> unknown : actor.unknown().entrySet()) {
                ApiAnswer answer = ask(unknown.getValue(), route, actor.tenant().id(), needs);
                answer.refused(401, "UNAUTHORIZED");
                first = first == null ? RefusalTest.withoutId(answer) : first;
                assertThat(RefusalTest.withoutId(answer))
                        .as("the answer to %s with %s", actor.word(), unknown.getKey())
                        .isEqualTo(first);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aForeignOrganizationIsAnsweredAsAMissingOne(Route route) {
        if (!route.path().contains("{organizationId}")) {
            return;
        }
        Map<String, String> needs = needs(route, stranger);
        for (Actor actor : actors) {
            ApiAnswer foreign = ask(actor.caller(), route, stranger.id(), needs);
            foreign.refused(404, "NOT_FOUND");
            ApiAnswer missing = ask(actor.caller(), route, NOWHERE, missing(needs));
            assertThat(RefusalTest.withoutId(foreign)).isEqualTo(RefusalTest.withoutId(missing));
            assertThat(Objects.requireNonNull(foreign.header("content-length")))
                    .isEqualTo(missing.header("content-length"));
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aThingUnderAForeignParentIsAnsweredAsAMissingOne(Route route) {
        Map<String, String> needs = needs(route, stranger);
        // A code names the same in every organization.
        if (needs.keySet().stream().noneMatch(name -> name.endsWith("Id"))) {
            return;
        }
        for (Actor actor : actors) {
            ApiAnswer foreign = ask(actor.caller(), route, actor.tenant().id(), needs);
            if (actor.word().allows(route.permission())) {
                foreign.refused(404, "NOT_FOUND");
            } else {
                foreign.refused(403, "FORBIDDEN");
            }
            ApiAnswer missing = ask(actor.caller(), route, actor.tenant().id(), missing(needs));
            assertThat(RefusalTest.withoutId(foreign)).isEqualTo(RefusalTest.withoutId(missing));
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aForeignThingUnderOnesOwnParentIsAnsweredAsAMissingOne(Route route) {
        Map<String, String> foreign = needs(route, stranger);
        String last = route.path().replaceAll(".*\\{(\\w+)}[^{]*", "$1");
        // A name, such as that of a setting, means the same under every parent.
        if (foreign.size() < 2 || !last.endsWith("Id")) {
            return;
        }
        for (Actor actor : actors) {
            Map<String, String> mixed = new HashMap<>(needs(route, actor.tenant()));
            mixed.replace(last, Objects.requireNonNull(foreign.get(last)));
            ApiAnswer answer = ask(actor.caller(), route, actor.tenant().id(), mixed);
            mixed.replace(last, NOWHERE);
            ApiAnswer missing = ask(actor.caller(), route, actor.tenant().id(), mixed);
            assertThat(RefusalTest.withoutId(answer)).isEqualTo(RefusalTest.withoutId(missing));
            assertThat(answer.status()).isEqualTo(actor.word().allows(route.permission()) ? 404 : 403);
        }
    }

    @Test
    void publicRoutesAskForNoCredentials() {
        Stream<PublicRoute> open =
                house.entrances().stream().filter(PublicRoute.class::isInstance).map(PublicRoute.class::cast);
        assertThat(open.map(PublicRoute::operationId)).containsExactly("openapiGet", "invitationAccept");
        for (Actor actor : actors) {
            assertThat(actor.caller().get("/openapi.json").status()).isEqualTo(200);
            actor.unknown()
                    .values()
                    .forEach(caller ->
                            assertThat(caller.get("/openapi.json").status()).isEqualTo(200));
        }
    }
}
