package io.pilothouse.core.privateendpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Given;
import org.junit.jupiter.api.Test;

class PrivateEndpointUseTest {
    @Test
    void theUseOfAPrivateEndpointIsNamedAfterWhatItSays() {
        PrivateEndpointUse use = PrivateEndpointUse.of(Given.service(), "vpce-1", Given.NOON);
        assertThat(use.id()).isEqualTo(PrivateEndpointUse.idOf(Given.SERVICE, "vpce-1"));
        assertThat(use.ownerId()).isEqualTo(Given.ORGANIZATION);
        assertThat(PrivateEndpointUse.reference(Given.ORGANIZATION, "vpce-1"))
                .isEqualTo("11111111-1111-4111-8111-111111111111 vpce-1");
    }
}
