package io.pilothouse.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each test is given, by tests that are given it. */
@Pilothouse
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OrganizationOfEachTest {
    private final List<PilothouseOrganization> earlier = new ArrayList<>();
    private PilothouseOrganization before;

    @BeforeEach
    void takesOne(PilothouseOrganization organization) {
        before = organization;
    }

    @Test
    @Order(1)
    void keyOpensTheOrganization(PilothouseOrganization mine) throws IOException, InterruptedException {
        assertThat(Client.post(mine, "/services", "{\"name\": \"Mine\"}").statusCode())
                .isEqualTo(200);
        assertThat(Client.get(mine, "/services").body()).contains("\"name\":\"Mine\"");
        earlier.add(mine);
    }

    @Test
    @Order(2)
    void whatAnEarlierTestHadIsGone(PilothouseOrganization mine) throws IOException, InterruptedException {
        PilothouseOrganization gone = earlier.getFirst();
        assertThat(mine.id()).isNotEqualTo(gone.id());
        assertThat(Client.get(mine, "/services").body()).doesNotContain("Mine");
        assertThat(Client.get(gone, "").statusCode()).isEqualTo(401);
    }

    @Test
    @Order(3)
    void methodBeforeATestIsGivenTheSame(PilothouseOrganization mine) {
        assertThat(mine).isSameAs(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Order(4)
    void eachRoundOfATestHasItsOwn(int round, PilothouseOrganization mine) {
        assertThat(round).isPositive();
        assertThat(earlier).extracting(PilothouseOrganization::id).doesNotContain(mine.id());
        earlier.add(mine);
    }

    @Test
    @Order(5)
    void alertsTokenOpensTheAlertsInterface(PilothouseOrganization mine) throws IOException, InterruptedException {
        assertThat(Client.send(HttpRequest.newBuilder(URI.create(mine.alertsUrl() + "/api/v2/alerts"))
                                .header("Authorization", "Bearer " + mine.alertsToken()))
                        .statusCode())
                .isEqualTo(200);
        assertThat(mine.alertsToken()).isEqualTo(mine.alertsToken());
    }

    @Test
    @Order(6)
    void nothingShowsASecretByItself(PilothouseOrganization mine) {
        assertThat(mine.toString()).contains(mine.id().toString()).doesNotContain(mine.keySecret());
        assertThat(mine.api().toString()).contains(mine.keyId()).doesNotContain(mine.keySecret());
    }

    @Test
    @Order(7)
    void environmentIsWhatTerraformReads(PilothouseOrganization mine) {
        assertThat(mine.environment())
                .containsEntry("CLICKHOUSE_API_URL", mine.baseUrl() + "/v1")
                .containsEntry("CLICKHOUSE_ORG_ID", mine.id().toString())
                .containsEntry("CLICKHOUSE_CLOUD_API_KEY", mine.keyId())
                .containsEntry("CLICKHOUSE_CLOUD_API_SECRET", mine.keySecret());
    }
}
