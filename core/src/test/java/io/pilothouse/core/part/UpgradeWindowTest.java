package io.pilothouse.core.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which services have an upgrade window of their own, and what clients see of it. */
class UpgradeWindowTest {
    private final UpgradeWindow kind = new UpgradeWindow();

    @Test
    void onlyThePrimaryServiceOfAWarehouseHasAWindowOfItsOwn() {
        Service primary = Given.service();
        Service secondary = Given.design(
                        Map.of("dataWarehouseId", primary.warehouse().id().toString()),
                        Given.enterprise(),
                        Given.SEED,
                        primary,
                        null)
                .service();
        assertThatNoException().isThrownBy(() -> kind.requireFits(primary));
        assertThatThrownBy(() -> kind.requireFits(secondary))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.BAD_REQUEST));
    }

    @Test
    void itIsOpenForSixHoursOfOneDayThatIsCountedFromSunday() {
        Tree.Members sunday =
                Tree.Members.NONE.with("weekday", new Tree.Figure(0)).with("startHourUtc", new Tree.Figure(12));
        assertThat(UpgradeWindow.isOpen(sunday, Instant.parse("2026-11-22T11:59:59Z")))
                .isFalse();
        assertThat(UpgradeWindow.isOpen(sunday, Instant.parse("2026-11-22T12:00:00Z")))
                .isTrue();
        assertThat(UpgradeWindow.isOpen(sunday, Instant.parse("2026-11-22T17:59:59Z")))
                .isTrue();
        assertThat(UpgradeWindow.isOpen(sunday, Instant.parse("2026-11-22T18:00:00Z")))
                .isFalse();
        assertThat(UpgradeWindow.isOpen(sunday, Instant.parse("2026-11-23T12:00:00Z")))
                .as("Monday")
                .isFalse();
    }

    @Test
    void clientsAreShownHowLongItIs() {
        assertThat(kind.shown(Tree.Members.NONE, Given.service(), Instant.EPOCH).number("duration"))
                .contains(6.0);
    }
}
