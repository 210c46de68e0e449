package io.pilothouse.core.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Refusal.Cause;
import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void whoIsKnownIsRefusedAnOperationAndAnybodyElseALogin() {
        for (Cause cause : Cause.values()) {
            assertThat(cause.activityType())
                    .isEqualTo(cause == Cause.NO_RIGHT ? "operation_refused" : "user_login_failed");
        }
        assertThat(Cause.WRONG_SECRET.word()).isEqualTo("wrong_secret");
    }
}
