package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Grant;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every route of the management interface, tried with custom roles that just allow it, just do not, or deny it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoleMatrixTest {
    private static final String ORGANIZATION = "control-plane:organization:";
    private static final String SERVICE = "control-plane:service:";

    /** Their examples touch more than one right, which tests of their own are about. */
    private static final Set<String> TAKE_MORE = Set.of(
            "instanceUpdate",
            "alertsTokenCreate",
            "openapiKeyCreate",
            "organizationRolePost",
            "organizationRolePatch",
            "organizationRoleDelete",
            "memberDelete",
            "invitationCreate");

    @RegisterExtension
    static final House house = House.start();

    private final MatrixExamples examples = new MatrixExamples();
    private final Tenant tenant = house.tenant();
    private final Map<String, ApiCaller> callers = new HashMap<>();

    static Stream<Route> routes() {
        return house.entrances().stream()
                .filter(Route.class::isInstance)
                .map(Route.class::cast)
                .filter(route -> route.path().contains("{organizationId}"));
    }

    /** The permission of the live service that an operation takes, as the page about roles has it. */
    private static String word(Permission right) {
        return switch (right) {
            case ORGANIZATION_READ, MEMBER_READ -> ORGANIZATION + "view";
            case ORGANIZATION_WRITE, MEMBER_WRITE, ACTIVITY_READ -> ORGANIZATION + "manage";
            case BILLING_READ -> ORGANIZATION + "view-billing";
            case KEY_READ -> ORGANIZATION + "view-api-keys";
            case KEY_CREATE -> ORGANIZATION + "create-api-keys";
            case KEY_UPDATE -> ORGANIZATION + "update-api-keys";
            case KEY_DELETE -> ORGANIZATION + "delete-api-keys";
            case SERVICE_LIST, SERVICE_READ, PIPE_READ -> SERVICE + "view";
            case SERVICE_CREATE, SERVICE_WRITE, SERVICE_UPDATE, SERVICE_DELETE -> SERVICE + "manage";
            case ACCESS_LIST_WRITE -> SERVICE + "manage-ip-access-list";
            case PRIVATE_ENDPOINT_READ -> SERVICE + "view-private-endpoints";
            case PRIVATE_ENDPOINT_WRITE -> SERVICE + "manage-private-endpoints";
            case SCALING_READ -> SERVICE + "view-scaling-config";
            case SCALING_WRITE -> SERVICE + "manage-scaling-config";
            case BACKUP_READ -> SERVICE + "view-backups";
            case BACKUP_WRITE -> SERVICE + "manage-backups";
            case QUERY_ENDPOINT_READ -> SERVICE + "view-query-api-endpoints";
            case QUERY_ENDPOINT_WRITE -> SERVICE + "manage-query-api-endpoints";
            case PIPE_WRITE, PIPE_DELETE -> SERVICE + "manage-clickpipes";
            case ALERT_READ, ALERT_WRITE -> SERVICE + "manage-clickstack-api";
            case IDENTITY_READ, QUERY_RUN, ORGANIZATION_CREATE -> throw new AssertionError("No policy speaks of it");
        };
    }

    private static boolean gives(Grant grant, Permission right) {
        Permission sought = right == Permission.SERVICE_LIST ? Permission.SERVICE_READ : right;
        return grant.permissions(true).contains(sought);
    }

    private List<String> policies(String allowDeny, Predicate<Grant> named) {
        List<String> policies = new ArrayList<>();
        for (boolean onServices : List.of(false, true)) {
            String words = Stream.of(Grant.values())
                    .filter(grant -> grant.isOnServices() == onServices && named.test(grant))
                    .map(grant -> "'" + grant.word() + "'")
                    .collect(Collectors.joining(", "));
            if (!words.isEmpty()) {
                policies.add("{'allowDeny': '%s', 'permissions': [%s], 'resources': ['%s']}"
                        .formatted(allowDeny, words, onServices ? "instance/*" : "organization/" + tenant.id()));
            }
        }
        return policies;
    }

    private ApiCaller caller(String name, Permission right, Predicate<Grant> allowed, Predicate<Grant> denied) {
        return callers.computeIfAbsent(name + right, _ -> {
            List<String> policies = policies("ALLOW", allowed);
            policies.addAll(policies("DENY", denied));
            JsonNode role = tenant.inACrowd().newRole(name, policies);
            return tenant.having(role);
        });
    }

    private ApiAnswer ask(ApiCaller caller, Route route) {
        String path = route.path().replace("{organizationId}", tenant.id());
        for (Map.Entry<String, String> each :
                examples.needs(route, tenant.inACrowd()).entrySet()) {
            path = path.replace("{" + each.getKey() + "}", each.getValue());
        }
        return caller.send(route.verb().name(), path + MatrixExamples.query(route), MatrixExamples.body(route));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aRoleMayDoWhatItsPoliciesAllow(Route route) {
        Permission right = route.permission();
        ApiCaller caller = caller("just", right, grant -> grant.word().equals(word(right)), _ -> false);
        ApiAnswer answer = ask(caller, route);
        if (TAKE_MORE.contains(route.operationId())) {
            answer.refused(403, "FORBIDDEN");
        } else {
            assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aRoleMayNotDoWhatItsPoliciesLeaveOut(Route route) {
        Permission right = route.permission();
        ask(caller("all but", right, grant -> !gives(grant, right), _ -> false), route)
                .refused(403, "FORBIDDEN");
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aRoleMayNotDoWhatAPolicyDenies(Route route) {
        Permission right = route.permission();
        Predicate<Grant> taking = grant -> grant.word().equals(word(right));
        ask(caller("denied", right, _ -> true, taking), route).refused(403, "FORBIDDEN");
    }
}
