package io.pilothouse.core.organization;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where a private endpoint can be, and what a second registration of it changes. */
class PrivateEndpointTest {
    private static PrivateEndpoint endpoint(
            @Nullable String description, @Nullable String provider, @Nullable String region, boolean byUse) {
        return new PrivateEndpoint("vpce-1", description, provider, region, byUse);
    }

    @Test
    void anEndpointReachesServicesOfItsOwnPlace() {
        assertThat(endpoint(null, null, null, false).reaches("aws", "eu-west-1"))
                .isTrue();
        PrivateEndpoint used = endpoint(null, "aws", "eu-west-1", false);
        assertThat(used.reaches("aws", "eu-west-1")).isTrue();
        assertThat(used.reaches("aws", "us-east-1")).isFalse();
        assertThat(used.reaches("gcp", "eu-west-1")).isFalse();
    }

    @Test
    void theHistoryShowsWhatIsKnownOfIt() {
        assertThat(endpoint("office", "aws", null, false).tree().values())
                .containsOnlyKeys("id", "description", "cloudProvider")
                .containsEntry("cloudProvider", new Tree.Text("aws"));
    }

    @Test
    void aSecondRegistrationFillsInAndTakesNothingAway() {
        List<PrivateEndpoint> endpoints =
                new ArrayList<>(List.of(new PrivateEndpoint("other", null, null, null, false)));
        OrganizationRules.register(endpoints, endpoint("office", null, null, true));
        OrganizationRules.register(endpoints, endpoint(null, "aws", "eu-west-1", true));
        assertThat(endpoints.getLast()).isEqualTo(endpoint("office", "aws", "eu-west-1", true));
        OrganizationRules.register(endpoints, endpoint("home", "gcp", "us-east1", false));
        assertThat(endpoints.getLast()).isEqualTo(endpoint("home", "aws", "eu-west-1", false));
        OrganizationRules.register(endpoints, endpoint(null, null, null, true));
        assertThat(endpoints).hasSize(2);
        assertThat(endpoints.getLast().byUse())
                .as("one that somebody registered stays so")
                .isFalse();
        assertThat(endpoint("office", null, null, true).shown()).isEqualTo(endpoint("office", null, null, false));
    }
}
