package io.pilothouse.testkit;

import static io.pilothouse.testkit.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pilothouse.core.domain.Backup;
import io.pilothouse.core.domain.Organization;
import io.pilothouse.core.domain.OrganizationTier;
import io.pilothouse.core.domain.PrivateEndpointUse;
import io.pilothouse.core.domain.Service;
import io.pilothouse.core.domain.Stored;
import io.pilothouse.core.domain.Wish;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Rows: what goes in comes out, one version at a time. */
interface StoreContractTables extends StoreContractHost {
    UUID OWNER = UUID.fromString("7f3e1f6e-0d55-4c0e-9f6a-0d8f7a3b1c11");
    UUID STRANGER = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private <T extends Stored> T inserted(Function<Tables, Table<T>> table, T row) {
        T inserted = store().write(tables -> table.apply(tables).insert(row));
        assertThat(inserted.version()).isEqualTo(1);
        assertThat(found(table, row.id())).isEqualTo(inserted);
        return inserted;
    }

    private <T extends Stored> T found(Function<Tables, Table<T>> table, UUID id) {
        return store().read(tables -> table.apply(tables).find(id)).orElseThrow();
    }

    @Test
    default void organizationComesBackAsItWent() {
        Organization full = StoreContractSamples.organization();
        Organization back = inserted(Tables::organizations, full);
        assertThat(back).usingRecursiveComparison().ignoringFields("version").isEqualTo(full);
        inserted(Tables::organizations, StoreContractSamples.bareOrganization());
    }

    @Test
    default void serviceComesBackAsItWent() {
        Service full = StoreContractSamples.service(OWNER);
        Service back = inserted(Tables::services, full);
        assertThat(back).usingRecursiveComparison().ignoringFields("version").isEqualTo(full);
        inserted(Tables::services, StoreContractSamples.bareService(OWNER));
    }

    @Test
    default void keyComesBackAsItWent() {
        inserted(Tables::keys, StoreContractSamples.key(OWNER, "hash 1"));
        inserted(Tables::keys, StoreContractSamples.bareKey(OWNER, "hash 2"));
    }

    @Test
    default void alertsTokenComesBackAsItWent() {
        inserted(Tables::alertsTokens, StoreContractSamples.token(OWNER, "hash 1"));
        inserted(Tables::alertsTokens, StoreContractSamples.bareToken(OWNER, "hash 2"));
    }

    @Test
    default void activityComesBackAsItWent() {
        inserted(Tables::activities, StoreContractSamples.activity(OWNER, NOW, UUID.randomUUID()));
        inserted(Tables::activities, StoreContractSamples.bareActivity(OWNER));
    }

    @Test
    default void backupComesBackAsItWent() {
        Backup full = StoreContractSamples.backup(OWNER);
        Backup back = inserted(Tables::backups, full);
        assertThat(back).usingRecursiveComparison().ignoringFields("version").isEqualTo(full);
        inserted(Tables::backups, StoreContractSamples.bareBackup(OWNER));
        assertWrite(tables -> tables.backups().overwrite(back.leaving()).version())
                .isEqualTo(2L);
    }

    @Test
    default void servicesWithAPrivateEndpointAreFoundByIt() {
        Service one = StoreContractSamples.service(OWNER);
        Service two = StoreContractSamples.service(OWNER);
        Service foreign = StoreContractSamples.service(STRANGER);
        for (Service service : List.of(one, two, foreign)) {
            inserted(Tables::privateEndpointUses, PrivateEndpointUse.of(service, "vpce-1", NOW));
        }
        var other = inserted(Tables::privateEndpointUses, PrivateEndpointUse.of(one, "vpce-2", NOW));
        List<PrivateEndpointUse> uses = store().read(tables ->
                tables.privateEndpointUses().listByReference(PrivateEndpointUse.reference(OWNER, "vpce-1"), 10));
        assertThat(uses).extracting(PrivateEndpointUse::serviceId).containsExactlyInAnyOrder(one.id(), two.id());
        assertRead(tables -> tables.privateEndpointUses().find(PrivateEndpointUse.idOf(one.id(), "vpce-2")))
                .isEqualTo(Optional.of(other));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables ->
                        tables.privateEndpointUses().insert(PrivateEndpointUse.of(one, "vpce-1", NOW))));
        assertWrite(tables -> tables.privateEndpointUses().overwrite(other).version())
                .isEqualTo(2L);
    }

    @Test
    default void anyTextComesBackExactly() {
        for (String name : List.of("\0", "\ud83d", "\ude80\ud83d", "🚀", "a\r\nb\t\"'\\", "ﬀ\u2028", " ")) {
            Organization row = StoreContractSamples.bareOrganization().withDetails(name, false, List.of());
            assertThat(inserted(Tables::organizations, row).name()).isEqualTo(name);
        }
    }

    @Test
    default void momentsKeepTheirNanosecondsInAnyCentury() {
        for (String moment : List.of("1969-12-31T23:59:59.999999999Z", "1700-01-01T00:00:00.000000001Z")) {
            Service row = StoreContractSamples.service(OWNER, Instant.parse(moment), UUID.randomUUID());
            assertThat(inserted(Tables::services, row).createdAt()).isEqualTo(moment);
        }
    }

    @Test
    default void whatIsNotThereIsNotFound() {
        assertRead(tables -> tables.services().find(UUID.randomUUID()).isPresent())
                .isEqualTo(false);
    }

    @Test
    default void rowOfAForeignOwnerIsNotFound() {
        Service row = inserted(Tables::services, StoreContractSamples.service(OWNER));
        assertRead(tables -> tables.services().find(OWNER, row.id())).isEqualTo(Optional.of(row));
        assertRead(tables -> tables.services().find(STRANGER, row.id())).isEqualTo(Optional.empty());
    }

    @Test
    default void takenIdIsRefused() {
        Service row = inserted(Tables::services, StoreContractSamples.service(OWNER));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables -> tables.services().insert(row.withWish(Wish.STOP, NOW))));
        assertThat(found(Tables::services, row.id())).isEqualTo(row);
    }

    @Test
    default void takenKeyHashIsRefused() {
        inserted(Tables::keys, StoreContractSamples.key(OWNER, "same"));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> store().write(tables -> tables.keys().insert(StoreContractSamples.key(STRANGER, "same"))))
                .withMessageNotContaining("same");
    }

    @Test
    default void takenTokenHashIsRefused() {
        inserted(Tables::alertsTokens, StoreContractSamples.token(OWNER, "same"));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(
                                tables -> tables.alertsTokens().insert(StoreContractSamples.token(STRANGER, "same"))));
    }

    @Test
    default void replacementOverTheReadVersionIsTheNextVersion() {
        Organization first = inserted(Tables::organizations, StoreContractSamples.organization());
        Organization changed = first.withDetails("renamed", false, List.of());
        Organization second = store().write(tables -> tables.organizations().replace(changed, 1))
                .orElseThrow();
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.name()).isEqualTo("renamed");
        assertThat(second.tier()).isEqualTo(OrganizationTier.ENTERPRISE);
        assertThat(found(Tables::organizations, first.id())).isEqualTo(second);
    }

    @Test
    default void everyKindCanBeReplacedButHistory() {
        var key = inserted(Tables::keys, StoreContractSamples.key(OWNER, "key"));
        var token = inserted(Tables::alertsTokens, StoreContractSamples.token(OWNER, "token"));
        var service = inserted(Tables::services, StoreContractSamples.service(OWNER));
        var line = inserted(Tables::activities, StoreContractSamples.bareActivity(OWNER));
        assertWrite(tables -> tables.keys().replace(key, 1)).isEqualTo(Optional.of(found(Tables::keys, key.id())));
        assertWrite(tables -> tables.alertsTokens().replace(token, 1))
                .isEqualTo(Optional.of(found(Tables::alertsTokens, token.id())));
        assertWrite(tables -> tables.services().replace(service, 1))
                .isEqualTo(Optional.of(found(Tables::services, service.id())));
        assertThatIllegalStateException()
                .isThrownBy(() -> store().write(tables -> tables.activities().replace(line, 1)));
    }

    @Test
    default void replacementOverAnOldVersionLosesAndChangesNothing() {
        Organization first = inserted(Tables::organizations, StoreContractSamples.organization());
        Organization second = store().write(tables -> tables.organizations().replace(first, 1))
                .orElseThrow();
        Organization late = first.withDetails("late", true, List.of());
        assertWrite(tables -> tables.organizations().replace(late, 1)).isEqualTo(Optional.empty());
        assertThat(found(Tables::organizations, first.id())).isEqualTo(second);
    }

    @Test
    default void replacementOfWhatIsGoneLoses() {
        Organization row = inserted(Tables::organizations, StoreContractSamples.organization());
        assertWrite(tables -> tables.organizations().delete(row.id(), 1)).isEqualTo(true);
        assertWrite(tables -> tables.organizations().replace(row, 1)).isEqualTo(Optional.empty());
    }

    @Test
    default void deletionAtAnOldVersionLoses() {
        Organization first = inserted(Tables::organizations, StoreContractSamples.organization());
        assertWrite(tables -> tables.organizations().replace(first, 1)).isNotEqualTo(Optional.empty());
        assertWrite(tables -> tables.organizations().delete(first.id(), 1)).isEqualTo(false);
        assertThat(found(Tables::organizations, first.id()).version()).isEqualTo(2);
    }

    @Test
    default void deletedRowIsGoneFromEveryLookup() {
        Service row = inserted(Tables::services, StoreContractSamples.service(OWNER));
        assertWrite(tables -> tables.services().delete(row.id(), 1)).isEqualTo(true);
        store().<Boolean>read(tables -> {
            assertThat(tables.services().find(row.id())).isEmpty();
            assertThat(tables.services().findByReference(row.warehouse().id().toString()))
                    .isEmpty();
            assertThat(tables.services().page(OWNER, null, 10)).isEmpty();
            assertThat(tables.services().count(OWNER)).isZero();
            return true;
        });
    }
}
