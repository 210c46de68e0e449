package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.port.Keeping;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.usage.UsageMeter;
import io.pilothouse.testkit.PipeSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What belongs to an organization: it is found whole, removed whole and put back whole, and nothing else is touched. */
interface StoreContractBelongings extends StoreContractHost {
    Instant LATER = NOW.plusSeconds(3_600);

    /** An organization with something on every level. */
    private Organization furnished(String name) {
        Organization organization = StoreContractSamples.organization();
        UUID home = organization.id();
        Service service = StoreContractSamples.service(home);
        ApiKey key = StoreContractSamples.key(home, "hash " + name);
        Alert alert = StoreContractAlertSamples.alert(home);
        Pipe pipe = PipeSample.running(UUID.randomUUID(), home, service.id(), PipeKind.KAFKA, NOW);
        Delivery delivery = StoreContractAlertSamples.delivery(alert, "group", UUID.randomUUID(), NOW);
        store().change(tables -> {
            tables.of(Organization.KIND).insert(organization);
            tables.of(Service.KIND).insert(service);
            tables.of(ApiKey.KIND).insert(key);
            tables.of(Alert.KIND).insert(alert);
            tables.of(AlertEvaluation.KIND).insert(StoreContractAlertSamples.evaluation(alert.id(), NOW, 1.0));
            tables.of(Delivery.KIND).insert(delivery);
            tables.of(Pipe.KIND).insert(pipe);
            tables.of(PipeRange.KIND)
                    .insert(new PipeRange(Head.of(UUID.randomUUID(), pipe.id(), NOW), "part", 1, null, "identity", 1));
            tables.of(Backup.KIND).insert(StoreContractSamples.backup(service.id()));
            tables.of(Activity.KIND).insert(StoreContractSamples.activity(home, NOW, service.id()));
            tables.keep(new Keeping(key.id(), "order", "print", "answer", NOW));
            tables.metricPoints().add(home, "requests", NOW, 3);
            tables.tasks().wake(Tasks.Kind.SERVICE, service.id(), Tasks.Urgency.NEW, NOW);
            tables.tasks().wake(Tasks.Kind.DELIVERY, delivery.laneId(), Tasks.Urgency.NEW, NOW);
        });
        return organization;
    }

    private List<KeptRow> belongings(@Nullable UUID organizationId) {
        return store().read(tables -> {
            List<KeptRow> rows = new ArrayList<>();
            tables.belongings().each(organizationId, rows::add);
            return rows;
        });
    }

    private static List<String> tables(List<KeptRow> rows) {
        return rows.stream().map(KeptRow::table).toList();
    }

    @Test
    default void everythingOfAnOrganizationIsFoundAndNothingOfAnother() {
        Organization one = furnished("one");
        furnished("another");
        List<KeptRow> rows = belongings(one.id());
        assertThat(tables(rows))
                .containsExactlyInAnyOrder(
                        "organizations",
                        "services",
                        "api_keys",
                        "alerts",
                        "alert_evaluations",
                        "deliveries",
                        "pipes",
                        "pipe_ranges",
                        "backups",
                        "activities",
                        "keepings",
                        "metric_points",
                        "tasks",
                        "tasks");
        assertThat(belongings(null)).hasSize(2 * rows.size()).containsAll(rows);
    }

    @Test
    default void whatIsRemovedIsGoneAndTheRestStays() {
        Organization one = furnished("one");
        Organization another = furnished("another");
        List<KeptRow> rest = belongings(another.id());
        Set<UUID> gone = store().write(tables -> tables.belongings().remove(one.id()));
        assertThat(gone).contains(one.id()).hasSize(10);
        assertThat(belongings(one.id())).isEmpty();
        assertThat(belongings(null)).containsExactlyInAnyOrderElementsOf(rest);
        store().change(tables -> tables.belongings().remove(null));
        assertThat(belongings(null)).isEmpty();
    }

    @Test
    default void backupsThatOutliveTheirServiceAreFoundWithTheTaskThatEndsThem() {
        Organization organization = StoreContractSamples.organization();
        UUID service = UUID.randomUUID();
        store().change(tables -> {
            tables.of(Organization.KIND).insert(organization);
            tables.of(UsageMeter.KIND)
                    .insert(new UsageMeter(
                            Head.of(service, organization.id(), NOW),
                            service,
                            true,
                            "Gone",
                            List.of(),
                            List.of(),
                            NOW));
            tables.of(Backup.KIND).insert(StoreContractSamples.backup(service));
            tables.tasks().wake(Tasks.Kind.BACKUP, service, Tasks.Urgency.ROUTINE, NOW);
        });
        assertThat(tables(belongings(organization.id())))
                .containsExactlyInAnyOrder("organizations", "usage_meters", "backups", "tasks");
        store().change(tables -> tables.belongings().remove(organization.id()));
        assertThat(belongings(null)).isEmpty();
    }

    @Test
    default void whatIsPutBackIsAsItWas() {
        Organization one = furnished("one");
        List<KeptRow> before = belongings(null);
        store().change(tables -> {
            tables.belongings().remove(one.id());
            assertThat(tables.belongings().put(before, NOW)).contains(one.id()).hasSize(10);
        });
        assertThat(belongings(null)).containsExactlyInAnyOrderElementsOf(before);
        assertRead(tables -> tables.of(Organization.KIND).find(one.id()).map(Organization::name))
                .hasToString("Optional[" + one.name() + "]");
        assertRead(tables -> tables.of(ApiKey.KIND).findByReference("hash one").isPresent())
                .isEqualTo(true);
    }

    @Test
    default void whatIsCutOffHalfwayHasChangedNothing() {
        Organization one = furnished("one");
        List<KeptRow> before = belongings(null);
        assertThatThrownBy(() -> store().change(tables -> {
                    tables.belongings().remove(one.id());
                    tables.belongings().put(before.subList(0, before.size() / 2), NOW);
                    throw new IllegalArgumentException("cut off");
                }))
                .hasMessage("cut off");
        assertThat(belongings(null)).containsExactlyInAnyOrderElementsOf(before);
        assertRead(tables -> tables.of(Organization.KIND).find(one.id()).isPresent())
                .isEqualTo(true);
    }

    @Test
    default void aRowThatWasReadBeforeIsNotWrittenOverWhatWasPutBack() {
        Organization one = furnished("one");
        List<KeptRow> before = belongings(one.id());
        Organization read = store().read(tables -> tables.of(Organization.KIND).find(one.id()))
                .orElseThrow();
        putBack(one.id(), before, NOW);
        assertWrite(tables -> tables.of(Organization.KIND)
                        .replace(read, read.version())
                        .isPresent())
                .isEqualTo(false);
        assertWrite(tables -> tables.of(Organization.KIND).delete(read.id(), read.version()))
                .isEqualTo(false);
        Organization now = store().read(tables -> tables.of(Organization.KIND).find(one.id()))
                .orElseThrow();
        assertWrite(tables ->
                        tables.of(Organization.KIND).replace(now, now.version()).isPresent())
                .isEqualTo(true);
    }

    @Test
    default void aTaskThatWasClaimedBeforeIsNobodysAndDueWhenItIsPutBack() {
        Organization one = furnished("one");
        List<Tasks.Claim> claims = claim(NOW);
        assertThat(claims).hasSize(2);
        List<KeptRow> leased = belongings(one.id());
        putBack(one.id(), leased, LATER);
        Tasks.Release release = new Tasks.Release(LATER.plusSeconds(60), Tasks.Urgency.ROUTINE, 0, true);
        claims.forEach(claim -> assertWrite(tables -> tables.tasks().release(claim, release, LATER))
                .isEqualTo(false));
        claims.forEach(
                claim -> assertWrite(tables -> tables.tasks().finish(claim)).isEqualTo(false));
        List<Tasks.Claim> again = claim(LATER);
        assertThat(again)
                .extracting(Tasks.Claim::subjectId)
                .containsExactlyInAnyOrderElementsOf(
                        claims.stream().map(Tasks.Claim::subjectId).toList());
        // A deadline that began in another time would be over at once.
        assertThat(again).extracting(Tasks.Claim::unsettledSince).containsOnly(LATER);
    }

    private List<Tasks.Claim> claim(Instant now) {
        return store().write(tables -> tables.tasks().claim("process", now, now.plusSeconds(60), 10));
    }

    private void putBack(UUID organizationId, List<KeptRow> rows, Instant now) {
        store().change(tables -> {
            tables.belongings().remove(organizationId);
            tables.belongings().put(rows, now);
        });
    }
}
