package io.pilothouse.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.service.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScalingChangeTest {
    private final Faults faults = new Faults();
    private final Scaling scaling = new Scaling(8, 16, 3, null, true, 15);

    @Test
    void everyFieldIsCheckedBeforeTheServiceIsKnown() {
        Faults faults = new Faults();
        ScalingRules.checkRanges(
                new ScalingDraft(1.0, 2000.0, 9.0, 360.0, 0.0, "sideways", 21.0, 1.5, null, 4.0), faults);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly(
                        "minTotalMemoryGb",
                        "maxTotalMemoryGb",
                        "minReplicaMemoryGb",
                        "maxReplicaMemoryGb",
                        "numReplicas",
                        "minReplicas",
                        "maxReplicas",
                        "idleTimeoutMinutes",
                        "autoscalingMode");
    }

    @Test
    void whatIsNotGivenIsNotJudged() {
        Faults faults = new Faults();
        ScalingRules.checkRanges(new ScalingDraft(null, null, null, null, null, null, null, null, null, null), faults);
        ScalingRules.checkRanges(
                new ScalingDraft(24.0, 48.0, 8.0, 16.0, 3.0, "vertical", 2.0, 4.0, false, 5.0), faults);
        assertThat(faults.list()).isEmpty();
    }

    @Test
    void aBandKeepsTheEndThatAChangeDoesNotName() {
        Scaling band = new Scaling(16, 16, 2, new Scaling.Band(2, 5), true, 15);
        assertThat(change(band, null, null, 6.0)).isEqualTo(new Scaling(16, 16, 2, new Scaling.Band(2, 6), true, 15));
        assertThat(change(band, "horizontal", 3.0, null))
                .isEqualTo(new Scaling(16, 16, 3, new Scaling.Band(3, 5), true, 15));
        assertThat(faults.none()).isTrue();
        change(band, null, 6.0, null);
        change(scaling, "horizontal", null, 6.0);
        change(band, "vertical", 3.0, null);
        assertThat(faults.list())
                .extracting(Fault::toString)
                .as("an end beyond the one that stays, and an end without another")
                .hasSize(3);
    }

    private Scaling change(Scaling base, @Nullable String mode, @Nullable Double low, @Nullable Double high) {
        ScalingRules.Setting setting = new ScalingRules.Setting(Given.enterprise(), true, false, null);
        ScalingDraft draft = new ScalingDraft(null, null, null, null, null, mode, low, high, null, null);
        return new ScalingRules(Given.SEED, setting, faults).change(draft, base);
    }

    @Test
    void eachKindOfDifferenceHasItsName() {
        assertThat(scaling.differences(scaling)).isEmpty();
        List<String> memory = List.of("service_update_autoscaling_memory");
        assertThat(scaling.differences(new Scaling(12, 16, 3, null, true, 15))).isEqualTo(memory);
        assertThat(scaling.differences(new Scaling(8, 12, 3, null, true, 15))).isEqualTo(memory);
        List<String> replicas = List.of("service_update_autoscaling_replicas");
        assertThat(scaling.differences(new Scaling(8, 16, 4, null, true, 15))).isEqualTo(replicas);
        assertThat(scaling.differences(new Scaling(8, 16, 3, new Scaling.Band(3, 4), true, 15)))
                .isEqualTo(replicas);
        List<String> idling = List.of("service_update_autoscaling_idling");
        assertThat(scaling.differences(new Scaling(8, 16, 3, null, false, 15))).isEqualTo(idling);
        assertThat(scaling.differences(new Scaling(8, 16, 3, null, true, 20))).isEqualTo(idling);
    }
}
