package io.pilothouse.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.pilothouse.core.right.Permission;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTableTest {
    private static final Route.Handler HANDLER = request -> Answer.json(new byte[0]);
    private final RouteTable table = new RouteTable(List.of(
            route("list", Verb.GET, "/v1/things"),
            route("create", Verb.POST, "/v1/things"),
            route("get", Verb.GET, "/v1/things/{thingId}"),
            route("delete", Verb.DELETE, "/v1/things/{thingId}"),
            route("special", Verb.GET, "/v1/things/special"),
            route("part", Verb.PATCH, "/v1/things/{thingId}/parts/{partId}")));

    private static Route route(String id, Verb verb, String path) {
        return new Route(id, verb, path, Permission.SERVICE_READ, HANDLER);
    }

    private @Nullable String found(Verb verb, String path) {
        RouteTable.Match match = table.find(path);
        AnyRoute route = match == null ? null : match.route(verb);
        return route == null ? null : route.operationId();
    }

    private RouteTable.Match match(String path) {
        RouteTable.Match match = table.find(path);
        assertThat(match).isNotNull();
        return match == null ? match(path) : match;
    }

    @Test
    void aPathAndAMethodMakeAnOperation() {
        assertThat(found(Verb.GET, "/v1/things")).isEqualTo("list");
        assertThat(found(Verb.POST, "/v1/things")).isEqualTo("create");
        assertThat(found(Verb.GET, "/v1/things/7")).isEqualTo("get");
        assertThat(found(Verb.DELETE, "/v1/things/7")).isEqualTo("delete");
        assertThat(found(Verb.PATCH, "/v1/things/7/parts/8")).isEqualTo("part");
    }

    @Test
    void aSlashAtTheEndNamesNothingMore() {
        assertThat(found(Verb.GET, "/v1/things/")).isEqualTo("list");
        assertThat(found(Verb.GET, "/v1/things/7/")).isEqualTo("get");
        assertThat(match("/v1/things/7/").parameter("thingId")).isEqualTo("7");
        assertThat(found(Verb.PATCH, "/v1/things/7/parts/8/")).isEqualTo("part");
    }

    @Test
    void aLiteralWinsOverAParameter() {
        assertThat(found(Verb.GET, "/v1/things/special")).isEqualTo("special");
        assertThat(found(Verb.DELETE, "/v1/things/special")).isNull();
    }

    @Test
    void parametersAreFoundByName() {
        RouteTable.Match match = match("/v1/things/first%20one/parts/second");
        assertThat(match.parameter("thingId")).isEqualTo("first%20one");
        assertThat(match.parameter("partId")).isEqualTo("second");
        assertThat(match.parameter("otherId")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "v1/things",
                "/v1",
                "/v1/",
                "/v1//things",
                "/v1/things//",
                "/v1/thing",
                "/v1/thingss",
                "/V1/things",
                "/v1/things/7//",
                "/v1/things/7/parts",
                "/v1/things/7/parts/",
                "/v1/things//parts/8",
                "/v1/things/7/parts/8/more",
                "*"
            })
    void otherPathsAreNotThere(String path) {
        assertThat(table.find(path)).isNull();
    }

    @Test
    void theMethodsOfAPathAreListed() {
        assertThat(match("/v1/things").allow()).isEqualTo("GET, HEAD, POST");
        assertThat(match("/v1/things/7").allow()).isEqualTo("GET, HEAD, DELETE");
        assertThat(match("/v1/things/7/parts/8").allow()).isEqualTo("PATCH");
        assertThat(match("/v1/things").route(null)).isNull();
    }

    @Test
    void theWordsOfAPathThatIsNotServedAreNoValue() {
        RouteTable partly = new RouteTable(table.routes(), List.of("/v1/things/later", "/v1/things/{thingId}/later"));
        assertThat(partly.find("/v1/things/later")).isNull();
        assertThat(partly.find("/v1/things/7/later")).isNull();
        assertThat(partly.find("/v1/things/sooner")).isNotNull();
    }

    @Test
    void theRootIsAPathToo() {
        RouteTable rooted = new RouteTable(List.of(route("root", Verb.GET, "/")));
        assertThat(rooted.find("/")).isNotNull();
        assertThat(rooted.find("/x")).isNull();
    }

    @Test
    void theTableKeepsWhatItWasGiven() {
        assertThat(table.routes())
                .extracting(AnyRoute::operationId)
                .containsExactly("list", "create", "get", "delete", "special", "part");
    }

    @Test
    void twoOperationsCannotShareAnIdOrAPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new RouteTable(List.of(route("one", Verb.GET, "/one"), route("one", Verb.GET, "/two"))))
                .withMessageContaining("one is routed twice");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new RouteTable(List.of(route("one", Verb.GET, "/same"), route("two", Verb.GET, "/same"))))
                .withMessageContaining("GET /same is routed twice");
    }

    @Test
    void aParameterHasOneNameAndAPathBeginsWithASlash() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new RouteTable(List.of(route("one", Verb.GET, "/{a}"), route("two", Verb.GET, "/{b}/x"))));
        assertThatIllegalArgumentException().isThrownBy(() -> new RouteTable(List.of(route("one", Verb.GET, "one"))));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new RouteTable(List.of(route("deep", Verb.GET, "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}"))));
    }

    @Test
    @SuppressWarnings("NullAway")
    void aRouteWithoutAPermissionCannotBeMade() {
        assertThatNullPointerException().isThrownBy(() -> new Route("one", Verb.GET, "/one", null, HANDLER));
        assertThatNullPointerException()
                .isThrownBy(() -> new Route("one", Verb.GET, "/one", Permission.KEY_READ, null));
        assertThatNullPointerException().isThrownBy(() -> new PublicRoute("one", Verb.GET, "/one", null));
    }
}
