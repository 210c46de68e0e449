package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.privateendpoint.PrivateEndpointUse;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Rows: a row that is written is read the same, one version at a time. */
interface StoreContractTables extends StoreContractHost {
    UUID OWNER = UUID.fromString("7f3e1f6e-0d55-4c0e-9f6a-0d8f7a3b1c11");
    UUID STRANGER = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private <T extends Stored> T inserted(Kind<T> kind, T row) {
        T inserted = store().write(tables -> tables.of(kind).insert(row));
        assertThat(inserted.version()).isEqualTo(1);
        assertThat(found(kind, row.id())).isEqualTo(inserted);
        return inserted;
    }

    private <T extends Stored> T found(Kind<T> kind, UUID id) {
        return store().read(tables -> tables.of(kind).find(id)).orElseThrow();
    }

    @Test
    default void organizationComesBackAsItWent() {
        Organization full = StoreContractSamples.organization();
        Organization back = inserted(Organization.KIND, full);
        assertThat(back)
                .usingRecursiveComparison()
                .ignoringFields("head.version")
                .isEqualTo(full);
        inserted(Organization.KIND, StoreContractSamples.bareOrganization());
    }

    @Test
    default void serviceComesBackAsItWent() {
        Service full = StoreContractSamples.service(OWNER);
        Service back = inserted(Service.KIND, full);
        assertThat(back)
                .usingRecursiveComparison()
                .ignoringFields("head.version")
                .isEqualTo(full);
        inserted(Service.KIND, StoreContractSamples.bareService(OWNER));
    }

    @Test
    default void keyComesBackAsItWent() {
        inserted(ApiKey.KIND, StoreContractSamples.key(OWNER, "hash 1"));
        inserted(ApiKey.KIND, StoreContractSamples.bareKey(OWNER, "hash 2"));
    }

    @Test
    default void alertsTokenComesBackAsItWent() {
        inserted(AlertsToken.KIND, StoreContractSamples.token(OWNER, "hash 1"));
        inserted(AlertsToken.KIND, StoreContractSamples.bareToken(OWNER, "hash 2"));
    }

    @Test
    default void activityComesBackAsItWent() {
        inserted(Activity.KIND, StoreContractSamples.activity(OWNER, NOW, UUID.randomUUID()));
        inserted(Activity.KIND, StoreContractSamples.bareActivity(OWNER));
    }

    @Test
    default void backupComesBackAsItWent() {
        Backup full = StoreContractSamples.backup(OWNER);
        Backup back = inserted(Backup.KIND, full);
        assertThat(back)
                .usingRecursiveComparison()
                .ignoringFields("head.version")
                .isEqualTo(full);
        inserted(Backup.KIND, StoreContractSamples.bareBackup(OWNER));
        assertWrite(tables ->
                        tables.of(Backup.KIND).overwrite(back.leaving(NOW)).version())
                .isEqualTo(2L);
    }

    @Test
    default void backupBucketComesBackAsItWentAndIsFoundWhileItIsTheCurrentOne() {
        BackupBucket current = inserted(BackupBucket.KIND, StoreContractSamples.backupBucket(OWNER));
        BackupBucket retired = inserted(BackupBucket.KIND, StoreContractSamples.bareBackupBucket(STRANGER));
        assertRead(tables -> tables.of(BackupBucket.KIND).findByReference(OWNER.toString()))
                .isEqualTo(Optional.of(current));
        assertRead(tables -> tables.of(BackupBucket.KIND).findByReference(STRANGER.toString()))
                .isEqualTo(Optional.empty());
        assertRead(tables -> tables.of(BackupBucket.KIND).find(retired.id())).isEqualTo(Optional.of(retired));
        assertThatIllegalStateException()
                .isThrownBy(() -> inserted(BackupBucket.KIND, StoreContractSamples.backupBucket(OWNER)));
    }

    @Test
    default void servicesWithAPrivateEndpointAreFoundByIt() {
        Service one = StoreContractSamples.service(OWNER);
        Service two = StoreContractSamples.service(OWNER);
        Service foreign = StoreContractSamples.service(STRANGER);
        for (Service service : List.of(one, two, foreign)) {
            inserted(PrivateEndpointUse.KIND, PrivateEndpointUse.of(service, "vpce-1", NOW));
        }
        var other = inserted(PrivateEndpointUse.KIND, PrivateEndpointUse.of(one, "vpce-2", NOW));
        List<PrivateEndpointUse> uses = store().read(tables ->
                tables.of(PrivateEndpointUse.KIND).listByReference(PrivateEndpointUse.reference(OWNER, "vpce-1"), 10));
        assertThat(uses).extracting(PrivateEndpointUse::serviceId).containsExactlyInAnyOrder(one.id(), two.id());
        assertRead(tables -> tables.of(PrivateEndpointUse.KIND).find(PrivateEndpointUse.idOf(one.id(), "vpce-2")))
                .isEqualTo(Optional.of(other));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables ->
                        tables.of(PrivateEndpointUse.KIND).insert(PrivateEndpointUse.of(one, "vpce-1", NOW))));
        assertWrite(tables ->
                        tables.of(PrivateEndpointUse.KIND).overwrite(other).version())
                .isEqualTo(2L);
    }

    @Test
    default void anyTextComesBackExactly() {
        for (String name : List.of("\0", "\ud83d", "\ude80\ud83d", "🚀", "a\r\nb\t\"'\\", "ﬀ\u2028", " ")) {
            Organization row = StoreContractSamples.bareOrganization().withDetails(name, false, List.of());
            assertThat(inserted(Organization.KIND, row).name()).isEqualTo(name);
        }
    }

    @Test
    default void momentsKeepTheirNanosecondsInAnyCentury() {
        for (String moment : List.of("1969-12-31T23:59:59.999999999Z", "1700-01-01T00:00:00.000000001Z")) {
            Service row = StoreContractSamples.service(OWNER, Instant.parse(moment), UUID.randomUUID());
            assertThat(inserted(Service.KIND, row).createdAt()).isEqualTo(moment);
        }
    }

    @Test
    default void aMissingRowIsNotFound() {
        assertRead(tables -> tables.of(Service.KIND).find(UUID.randomUUID()).isPresent())
                .isEqualTo(false);
    }

    @Test
    default void rowOfAForeignOwnerIsNotFound() {
        Service row = inserted(Service.KIND, StoreContractSamples.service(OWNER));
        assertRead(tables -> tables.of(Service.KIND).find(OWNER, row.id())).isEqualTo(Optional.of(row));
        assertRead(tables -> tables.of(Service.KIND).find(STRANGER, row.id())).isEqualTo(Optional.empty());
    }

    @Test
    default void takenIdIsRefused() {
        Service row = inserted(Service.KIND, StoreContractSamples.service(OWNER));
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        store().write(tables -> tables.of(Service.KIND).insert(row.withWish(Wish.STOP, NOW))));
        assertThat(found(Service.KIND, row.id())).isEqualTo(row);
    }

    @Test
    default void takenKeyHashIsRefused() {
        inserted(ApiKey.KIND, StoreContractSamples.key(OWNER, "same"));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(
                                tables -> tables.of(ApiKey.KIND).insert(StoreContractSamples.key(STRANGER, "same"))))
                .withMessageNotContaining("same");
    }

    @Test
    default void takenTokenHashIsRefused() {
        inserted(AlertsToken.KIND, StoreContractSamples.token(OWNER, "same"));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables ->
                        tables.of(AlertsToken.KIND).insert(StoreContractSamples.token(STRANGER, "same"))));
    }

    @Test
    default void replacementOverTheReadVersionIsTheNextVersion() {
        Organization first = inserted(Organization.KIND, StoreContractSamples.organization());
        Organization changed = first.withDetails("renamed", false, List.of());
        Organization second = store().write(
                        tables -> tables.of(Organization.KIND).replace(changed, 1))
                .orElseThrow();
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.name()).isEqualTo("renamed");
        assertThat(second.tier()).isEqualTo(OrganizationTier.ENTERPRISE);
        assertThat(found(Organization.KIND, first.id())).isEqualTo(second);
    }

    @Test
    default void everyKindCanBeReplacedButHistory() {
        var key = inserted(ApiKey.KIND, StoreContractSamples.key(OWNER, "key"));
        var token = inserted(AlertsToken.KIND, StoreContractSamples.token(OWNER, "token"));
        var service = inserted(Service.KIND, StoreContractSamples.service(OWNER));
        var line = inserted(Activity.KIND, StoreContractSamples.bareActivity(OWNER));
        assertWrite(tables -> tables.of(ApiKey.KIND).replace(key, 1))
                .isEqualTo(Optional.of(found(ApiKey.KIND, key.id())));
        assertWrite(tables -> tables.of(AlertsToken.KIND).replace(token, 1))
                .isEqualTo(Optional.of(found(AlertsToken.KIND, token.id())));
        assertWrite(tables -> tables.of(Service.KIND).replace(service, 1))
                .isEqualTo(Optional.of(found(Service.KIND, service.id())));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> store().write(tables -> tables.of(Activity.KIND).replace(line, 1)));
    }

    @Test
    default void replacementOverAnOldVersionLosesAndChangesNothing() {
        Organization first = inserted(Organization.KIND, StoreContractSamples.organization());
        Organization second = store().write(
                        tables -> tables.of(Organization.KIND).replace(first, 1))
                .orElseThrow();
        Organization late = first.withDetails("late", true, List.of());
        assertWrite(tables -> tables.of(Organization.KIND).replace(late, 1)).isEqualTo(Optional.empty());
        assertThat(found(Organization.KIND, first.id())).isEqualTo(second);
    }

    @Test
    default void replacementOfADeletedRowLoses() {
        Organization row = inserted(Organization.KIND, StoreContractSamples.organization());
        assertWrite(tables -> tables.of(Organization.KIND).delete(row.id(), 1)).isEqualTo(true);
        assertWrite(tables -> tables.of(Organization.KIND).replace(row, 1)).isEqualTo(Optional.empty());
    }

    @Test
    default void deletionAtAnOldVersionLoses() {
        Organization first = inserted(Organization.KIND, StoreContractSamples.organization());
        assertWrite(tables -> tables.of(Organization.KIND).replace(first, 1)).isNotEqualTo(Optional.empty());
        assertWrite(tables -> tables.of(Organization.KIND).delete(first.id(), 1))
                .isEqualTo(false);
        assertThat(found(Organization.KIND, first.id()).version()).isEqualTo(2);
    }

    @Test
    default void deletedRowIsMissingFromEveryLookup() {
        Service row = inserted(Service.KIND, StoreContractSamples.service(OWNER));
        assertWrite(tables -> tables.of(Service.KIND).delete(row.id(), 1)).isEqualTo(true);
        store().<Boolean>read(tables -> {
            assertThat(tables.of(Service.KIND).find(row.id())).isEmpty();
            assertThat(tables.of(Service.KIND)
                            .findByReference(row.warehouse().id().toString()))
                    .isEmpty();
            assertThat(tables.of(Service.KIND).page(OWNER, null, 10)).isEmpty();
            assertThat(tables.of(Service.KIND).count(OWNER)).isZero();
            return true;
        });
    }
}
