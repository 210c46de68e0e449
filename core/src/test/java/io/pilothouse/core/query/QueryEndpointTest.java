package io.pilothouse.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a query endpoint may name, and what clients see of it. */
class QueryEndpointTest {
    private static final UUID KEY = UUID.fromString("0197c2a4-1111-7abc-8def-0123456789ab");

    private final QueryEndpoint kind = new QueryEndpoint();

    private static Tree.Members keys(String... ids) {
        return new Tree.Members(Map.of("openApiKeys", Tree.Items.texts(List.of(ids))));
    }

    private static void require(Tree.Members given, Tree.Members before) {
        QueryEndpoint.requireKeys(given, before, KEY::equals);
    }

    @Test
    void itsKeysAreThoseOfTheOrganizationOrThoseThatItHad() {
        require(keys(KEY.toString(), "gone"), keys("gone"));
        require(keys(KEY.toString().toUpperCase(Locale.ROOT)), Tree.Members.NONE);
        assertThatThrownBy(() -> require(
                        keys(
                                KEY.toString(),
                                "no id",
                                "1-1-1-1-1",
                                UUID.randomUUID().toString()),
                        Tree.Members.NONE))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.details())
                                .extracting(Fault::path)
                                .containsExactly("openApiKeys[1]", "openApiKeys[2]", "openApiKeys[3]"));
    }

    @Test
    void itsRolesAreWordsOfTheLiveService() {
        Faults faults = new Faults();
        new ShapeCheck(faults)
                .create(
                        "",
                        kind.fields(Given.SEED),
                        new Tree.Members(Map.of("roles", Tree.Items.texts(List.of("sql_console_admin", "admin", "")))));
        assertThat(faults.has("roles[0]")).isFalse();
        assertThat(faults.has("roles[1]")).isTrue();
        assertThat(faults.has("roles[2]")).isTrue();
    }

    @Test
    void itsOriginsAreOneText() {
        Faults faults = new Faults();
        kind.check(new Tree.Members(Map.of()), Tree.Members.NONE, Given.SEED, faults);
        assertThat(faults.has("allowedOrigins")).isFalse();
        kind.check(
                new Tree.Members(Map.of("allowedOrigins", Tree.Items.texts(List.of()))),
                Tree.Members.NONE,
                Given.SEED,
                faults);
        assertThat(faults.has("allowedOrigins")).isTrue();
    }

    @Test
    void itListsKeysInAnySpelling() {
        assertThat(QueryEndpoint.lists(keys("other", KEY.toString().toUpperCase(Locale.ROOT)), KEY))
                .isTrue();
        assertThat(QueryEndpoint.lists(keys(), KEY)).isFalse();
    }

    @Test
    void theRoleThatAllowsMostHolds() {
        assertThat(QueryEndpoint.role(new Tree.Members(
                        Map.of("roles", Tree.Items.texts(List.of("sql_console_read_only", "sql_console_admin"))))))
                .isEqualTo(QueryRole.ADMIN);
        assertThat(QueryEndpoint.role(
                        new Tree.Members(Map.of("roles", Tree.Items.texts(List.of("sql_console_read_only"))))))
                .isEqualTo(QueryRole.READ_ONLY);
    }

    @ParameterizedTest
    @CsvSource({
        "'https://app.example.org, https://b.example.org', https://b.example.org, true",
        "'app.example.org', https://app.example.org, true",
        "'APP.example.org', https://app.example.org, true",
        "'*', http://localhost:3000, true",
        "'https://app.example.org', http://app.example.org, false",
        "'example.org', https://app.example.org, false",
        "'', https://app.example.org, false"
    })
    void pagesOfTheOriginsThatItNamesMayAsk(String allowed, String origin, boolean may) {
        assertThat(QueryEndpoint.allows(new Tree.Members(Map.of("allowedOrigins", new Tree.Text(allowed))), origin))
                .isEqualTo(may);
    }

    @Test
    void itsIdFollowsFromTheServiceAndComesFirst() {
        Service service = Given.service();
        Tree.Members shown =
                kind.shown(new Tree.Members(Map.of("allowedOrigins", new Tree.Text("*"))), service, Instant.EPOCH);
        assertThat(shown.values().keySet()).containsExactly("id", "allowedOrigins");
        assertThat(shown.text("id")).contains(ServicePart.idOf(service, kind).toString());
    }
}
