package io.pilothouse.server.api;

import io.pilothouse.http.wire.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The targets of hostile requests: every route of the table, on things that are there, with a key that may do it all.
 */
final class FuzzGround {
    private final @Nullable Tenant tenant;
    private final String authorization;
    private final List<Aim> aims;

    /** One operation on a thing that is there; {@code body} is a good one, or null where there is none. */
    record Aim(
            String operationId,
            String method,
            String target,
            @Nullable String body) {}

    private FuzzGround(@Nullable Tenant tenant, List<Aim> aims, String authorization) {
        this.tenant = tenant;
        this.aims = List.copyOf(aims);
        this.authorization = authorization;
    }

    FuzzGround(House house) {
        this(house.tenant(), house);
    }

    private FuzzGround(Tenant tenant, House house) {
        this(
                tenant,
                aims(tenant, house),
                "Authorization: "
                        + Objects.requireNonNull(tenant.admin().credentials().authorization()));
    }

    /** Another listener's operations, which are not about a tenant's paths. */
    static FuzzGround of(List<Aim> aims, String authorization) {
        return new FuzzGround(null, aims, authorization);
    }

    private static List<Aim> aims(Tenant tenant, House house) {
        List<Aim> aims = new ArrayList<>();
        MatrixExamples examples = new MatrixExamples();
        house.entrances().stream()
                .filter(Route.class::isInstance)
                .map(Route.class::cast)
                .forEach(route -> aims.add(aim(tenant, route, examples)));
        return aims;
    }

    private static Aim aim(Tenant tenant, Route route, MatrixExamples examples) {
        String target = route.path().replace("{organizationId}", tenant.id());
        for (Map.Entry<String, String> need : examples.needs(route, tenant).entrySet()) {
            target = target.replace("{" + need.getKey() + "}", need.getValue());
        }
        return new Aim(route.operationId(), route.verb().name(), target, MatrixExamples.body(route));
    }

    Tenant tenant() {
        return Objects.requireNonNull(tenant, "a tenant");
    }

    /** The good key, as a line of a head. */
    String authorization() {
        return authorization;
    }

    Aim any(RandomGenerator random) {
        return one(aims, random);
    }

    /** An operation that takes a body and that this key may do. */
    Aim anyWithBody(RandomGenerator random) {
        return one(
                aims.stream()
                        .filter(aim -> aim.body() != null && !aim.operationId().equals("organizationCreate"))
                        .toList(),
                random);
    }

    Aim of(String operationId) {
        return aims.stream()
                .filter(aim -> aim.operationId().equals(operationId))
                .findFirst()
                .orElseThrow();
    }

    static <T> T one(List<T> list, RandomGenerator random) {
        return list.get(random.nextInt(list.size()));
    }

    static String letters(int length, RandomGenerator random) {
        StringBuilder letters = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(26)));
        }
        return letters.toString();
    }

    static byte[] noise(int length, RandomGenerator random) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        return noise;
    }
}
