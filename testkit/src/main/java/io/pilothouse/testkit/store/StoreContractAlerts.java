package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.MetricLabel;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.MetricPoints.Point;
import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts of a store that alerts need: their rows, counting without reading, and counts by the minute. */
interface StoreContractAlerts extends StoreContractHost {
    UUID TEAM = UUID.fromString("3c1de6a5-9d0c-4a55-8b12-0e6f6d7a9b21");
    UUID OTHER_TEAM = UUID.fromString("00000000-0000-4000-8000-000000000009");

    private <T extends Stored> T inserted(Kind<T> kind, T row) {
        T inserted = store().write(tables -> tables.of(kind).insert(row));
        assertThat(inserted.version()).isEqualTo(1);
        assertThat(store().<T>read(tables -> tables.of(kind).find(row.id()).orElseThrow()))
                .isEqualTo(inserted);
        assertThat(inserted)
                .usingRecursiveComparison()
                .ignoringFields("head.version")
                .isEqualTo(row);
        return inserted;
    }

    @Test
    default void alertComesBackAsItWent() {
        Alert full = inserted(Alert.KIND, StoreContractAlertSamples.alert(TEAM));
        inserted(Alert.KIND, StoreContractAlertSamples.bareAlert(TEAM));

        Alert changed = full.withWatch(AlertWatch.from(NOW)).withSilence(null);
        assertWrite(tables -> tables.of(Alert.KIND).replace(changed, 1).isPresent())
                .isEqualTo(true);
        assertRead(tables -> tables.of(Alert.KIND)
                        .find(TEAM, full.id())
                        .orElseThrow()
                        .watch())
                .isEqualTo(AlertWatch.from(NOW));
    }

    @Test
    default void linesOfHistoryAreInTheOrderOfTheirWindowsAndNeverTwice() {
        UUID alertId = UUID.randomUUID();
        AlertEvaluation later =
                inserted(AlertEvaluation.KIND, StoreContractAlertSamples.evaluation(alertId, NOW.plusSeconds(60), 1.5));
        AlertEvaluation earlier =
                inserted(AlertEvaluation.KIND, StoreContractAlertSamples.evaluation(alertId, NOW, null));

        assertRead(tables -> tables.of(AlertEvaluation.KIND).page(alertId, null, 9))
                .isEqualTo(List.of(earlier, later));
        assertRead(tables -> tables.of(AlertEvaluation.KIND).pageBackwards(alertId, null, 1))
                .isEqualTo(List.of(later));
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        store().write(tables -> tables.of(AlertEvaluation.KIND).insert(later)));
    }

    @Test
    default void webhookComesBackAsItWentAndIsUniqueByItsName() {
        Webhook full = inserted(Webhook.KIND, StoreContractAlertSamples.webhook(TEAM, "Hook"));
        inserted(Webhook.KIND, StoreContractAlertSamples.webhook(OTHER_TEAM, "Hook"));
        inserted(Webhook.KIND, StoreContractAlertSamples.bareWebhook(TEAM, "Hook"));

        assertRead(tables -> tables.of(Webhook.KIND)
                        .findByReference(full.uniqueName())
                        .orElseThrow())
                .isEqualTo(full);
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables ->
                        tables.of(Webhook.KIND).insert(StoreContractAlertSamples.webhook(TEAM, "Hook"))));
    }

    @Test
    default void dashboardComesBackAsItWent() {
        inserted(Dashboard.KIND, StoreContractAlertSamples.dashboard(TEAM));
        Dashboard bare = StoreContractAlertSamples.dashboard(TEAM);
        inserted(
                Dashboard.KIND,
                new Dashboard(Head.of(UUID.randomUUID(), TEAM, NOW), NOW, "bare", List.of(), List.of(), false));
        assertThat(bare.tiles()).isNotEmpty();
    }

    @Test
    default void theMessagesOfALaneAreInTheOrderOfTheirStamps() {
        Alert alert = StoreContractAlertSamples.alert(TEAM);
        UUID webhookId = UUID.randomUUID();
        Delivery second =
                inserted(Delivery.KIND, StoreContractAlertSamples.delivery(alert, "a", webhookId, NOW.plusNanos(1)));
        Delivery first = inserted(Delivery.KIND, StoreContractAlertSamples.delivery(alert, "a", webhookId, NOW));
        Delivery other = inserted(Delivery.KIND, StoreContractAlertSamples.delivery(alert, "b", webhookId, NOW));

        assertThat(other.laneId()).isNotEqualTo(first.laneId());
        assertRead(tables -> tables.of(Delivery.KIND)
                        .findByReference(first.laneId().toString())
                        .orElseThrow())
                .isEqualTo(first);
        assertRead(tables ->
                        tables.of(Delivery.KIND).listByReference(first.laneId().toString(), 9))
                .isEqualTo(List.of(first, second));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> store().write(tables -> tables.of(Delivery.KIND).insert(first)));
    }

    @Test
    default void newestUnderALabelIsFoundWhileItHasThatLabel() {
        Service service = StoreContractSamples.bareService(TEAM);
        Backup older = finished(service, NOW.minusSeconds(60));
        Backup newer = finished(service, NOW);
        finished(StoreContractSamples.bareService(OTHER_TEAM), NOW.plusSeconds(60));
        assertRead(tables -> tables.of(Backup.KIND).newestByLabel(TEAM.toString()))
                .isEqualTo(Optional.of(newer));

        store().write(tables -> tables.of(Backup.KIND).overwrite(newer.leaving(NOW)));

        assertRead(tables -> tables.of(Backup.KIND).newestByLabel(TEAM.toString()))
                .isEqualTo(Optional.of(older));
    }

    private Backup finished(Service service, Instant at) {
        Backup backup = Backup.of(service, UUID.randomUUID(), Backup.Trigger.DEMAND, at);
        return store().write(tables -> tables.of(Backup.KIND).insert(backup.done(Archive.of(1), at)));
    }

    @Test
    default void thingsAreCountedByTheirLabelAsItIsNow() {
        Service one = store().write(tables -> tables.of(Service.KIND).insert(StoreContractSamples.bareService(TEAM)));
        store().write(tables -> tables.of(Service.KIND).insert(StoreContractSamples.bareService(TEAM)));
        store().write(tables -> tables.of(Service.KIND).insert(StoreContractSamples.bareService(OTHER_TEAM)));
        String provisioning = new MetricLabel(TEAM, "provisioning", false).text();
        String failed = new MetricLabel(TEAM, "failed", true).text();
        assertRead(tables -> tables.of(Service.KIND).countByLabel(provisioning)).isEqualTo(2L);

        Seen broken = one.seen().withTrouble("It does not start.");
        Service changed = store().write(tables ->
                tables.of(Service.KIND).replace(one.withSeen(broken), 1).orElseThrow());

        assertRead(tables -> tables.of(Service.KIND).countByLabel(provisioning)).isEqualTo(1L);
        assertRead(tables -> tables.of(Service.KIND).countByLabel(failed)).isEqualTo(1L);
        assertRead(tables -> tables.of(Service.KIND).listByLabel(failed, 9)).isEqualTo(List.of(changed));
        store().write(tables -> tables.of(Service.KIND).delete(changed.id(), changed.version()));
        assertRead(tables -> tables.of(Service.KIND).countByLabel(failed)).isEqualTo(0L);
        assertRead(tables -> tables.of(Service.KIND).listByLabel(failed, 9)).isEqualTo(List.of());
        assertRead(tables -> tables.of(Organization.KIND).countByLabel(failed)).isEqualTo(0L);
    }

    @Test
    default void everyRowOfEveryOwnerIsMetOnceWhenWalkedById() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Organization row = StoreContractSamples.bareOrganization();
            ids.add(row.id());
            store().write(tables -> tables.of(Organization.KIND).insert(row));
        }
        List<UUID> walked = new ArrayList<>();
        List<Organization> page =
                store().read(tables -> tables.of(Organization.KIND).all(null, 3));
        while (!page.isEmpty()) {
            page.forEach(row -> walked.add(row.id()));
            UUID last = page.getLast().id();
            page = store().read(tables -> tables.of(Organization.KIND).all(last, 3));
        }

        assertThat(walked).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(walked.stream().map(UUID::toString)).isSorted();
    }

    @Test
    default void countsOfAMinuteAddUp() {
        Instant minute = Instant.parse("2026-03-01T10:00:00Z");
        Instant next = minute.plus(Duration.ofMinutes(1));
        store().write(tables -> {
            tables.metricPoints().add(TEAM, "requests.2xx", minute, 3);
            tables.metricPoints().add(TEAM, "requests.2xx", minute, 4);
            tables.metricPoints().add(TEAM, "requests.2xx", next, 1);
            tables.metricPoints().add(TEAM, "requests.5xx", minute, 9);
            tables.metricPoints().add(OTHER_TEAM, "requests.2xx", minute, 9);
            return true;
        });
        store().write(tables -> {
            tables.metricPoints().add(TEAM, "requests.2xx", minute, 5);
            return true;
        });

        assertPoints(minute, next.plusNanos(1), new Point(minute, 12), new Point(next, 1));
        assertPoints(minute, next, new Point(minute, 12));
        assertPoints(minute.plusNanos(1), next);
    }

    @Test
    default void oldCountsAreForgottenAFewAtATime() {
        Instant minute = Instant.parse("2026-03-01T10:00:00Z");
        store().write(tables -> {
            for (int i = 0; i < 5; i++) {
                tables.metricPoints().add(TEAM, "requests.2xx", minute.plus(Duration.ofMinutes(i)), 1);
            }
            return true;
        });
        Instant before = minute.plus(Duration.ofMinutes(4));

        int first = store().write(tables -> tables.metricPoints().forget(before, 3));
        int second = store().write(tables -> tables.metricPoints().forget(before, 3));

        assertThat(List.of(first, second)).containsExactly(3, 1);
        assertPoints(minute, before.plusSeconds(1), new Point(before, 1));
    }

    private void assertPoints(Instant from, Instant to, Point... points) {
        assertRead(tables -> tables.metricPoints().list(TEAM, "requests.2xx", from, to))
                .isEqualTo(Stream.of(points).toList());
    }

    @Test
    default void theCheckOfTheVaultIsKeptOnce() {
        assertRead(tables -> tables.findVaultCheck().isPresent()).isEqualTo(false);
        for (String check : List.of("v1.first", "v1.second")) {
            store().write(tables -> {
                tables.keepVaultCheck(check);
                return true;
            });
            assertRead(tables -> tables.findVaultCheck().orElseThrow()).isEqualTo(check);
        }
    }

    @Test
    default void theCheckOfSecretsIsKeptApartFromThatOfTheVault() {
        assertRead(tables -> tables.findSecretCheck().isPresent()).isEqualTo(false);
        store().change(tables -> {
            tables.keepSecretCheck("of secrets");
            tables.keepVaultCheck("of the vault");
        });
        assertRead(tables -> tables.findSecretCheck().orElseThrow()).isEqualTo("of secrets");
        assertRead(tables -> tables.findVaultCheck().orElseThrow()).isEqualTo("of the vault");
    }

    @Test
    default void sealedKeysAreKeptApartFromEachOtherAndFromChecks() {
        for (SealedKey key : SealedKey.values()) {
            assertRead(tables -> tables.findSealed(key).isPresent()).isEqualTo(false);
            store().change(tables -> tables.keepSealed(key, "old " + key));
            store().change(tables -> tables.keepSealed(key, "sealed " + key));
        }
        for (SealedKey key : SealedKey.values()) {
            assertRead(tables -> tables.findSealed(key).orElseThrow()).isEqualTo("sealed " + key);
        }
        assertRead(tables -> tables.findSecretCheck().isPresent()).isEqualTo(false);
        assertRead(tables -> tables.findVaultCheck().isPresent()).isEqualTo(false);
    }

    @Test
    default void windowsKeepTheirNanoseconds() {
        MetricWindow window = new MetricWindow(NOW.minusNanos(1), NOW.plusNanos(1));
        AlertEvaluation line = StoreContractAlertSamples.evaluation(UUID.randomUUID(), window, Double.MIN_VALUE);

        assertThat(inserted(AlertEvaluation.KIND, line).window()).isEqualTo(window);
    }
}
