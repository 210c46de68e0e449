package io.pilothouse.store.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Rows that older and newer programs wrote. */
class DocumentsTest {
    private static final Head HEAD =
            new Head(UUID.randomUUID(), UUID.randomUUID(), Instant.parse("2026-03-01T10:00:00.5Z"), 7);

    private static byte[] bytes(String document) {
        return document.getBytes(StandardCharsets.UTF_8);
    }

    private static <T extends Stored> T read(Rows<T> rows, String document) {
        T row = rows.read(HEAD, bytes(document));
        assertThat(row.id()).isEqualTo(HEAD.id());
        assertThat(row.createdAt()).isEqualTo(HEAD.createdAt());
        return row;
    }

    @Test
    void serviceOfAnOlderProgramOpens() {
        Service row = read(ServiceRows.SERVICES, "{}");
        assertThat(row.ownerId()).isEqualTo(HEAD.ownerId());
        assertThat(row.version()).isEqualTo(7);
        assertThat(row.wish()).isEqualTo(Wish.RUN);
        assertThat(row.want().since()).isEqualTo(HEAD.createdAt());
        assertThat(row.seen()).isEqualTo(new Seen(Condition.UNKNOWN, false, null, null, HEAD.createdAt()));
        assertThat(row.scaling()).isEqualTo(new Scaling(0, 0, 1, null, false, 0));
        assertThat(row.warehouse().id()).isEqualTo(HEAD.id());
        assertThat(row.details().tags()).isEmpty();
        assertThat(row.access().ipAccessList()).isEmpty();
        assertThat(row.details().releaseChannel()).isEqualTo("default");
        assertThat(row.fixed().origin()).isNull();
        assertThat(row.backups()).isEqualTo(BackupConfiguration.STANDARD);
    }

    @Test
    void everyOtherKindOfAnOlderProgramOpens() {
        Organization organization = read(OrganizationRows.ORGANIZATIONS, "{}");
        assertThat(organization.tier()).isEqualTo(OrganizationTier.BASIC);
        assertThat(organization.privateEndpoints()).isEmpty();
        ApiKey key = read(OrganizationRows.API_KEYS, "{}");
        assertThat(key.enabled()).isFalse();
        assertThat(key.roles().ids()).isEmpty();
        assertThat(key.expireAt()).isNull();
        AlertsToken token = read(OrganizationRows.ALERTS_TOKENS, "{}");
        assertThat(token.usedAt()).isNull();
        Item item = read(OrganizationRows.ITEMS, "{}");
        assertThat(item.reference()).isEmpty();
        assertThat(item.updatedAt()).isEqualTo(HEAD.createdAt());
        Activity line = read(OrganizationRows.ACTIVITIES, "{}");
        assertThat(line.actorId()).isNull();
        assertThat(line.type()).isEmpty();
        Backup backup = read(ServiceRows.BACKUPS, "{}");
        assertThat(backup.state()).isEqualTo(Backup.State.FAILED);
        assertThat(backup.retentionHours()).isEqualTo(24);
        assertThat(read(UsageRows.METERS, "{}").warehouseId()).isEqualTo(HEAD.id());
        assertThat(read(UsageRows.SPANS, "{}").end()).isNull();
        assertThat(read(ServiceRows.PRIVATE_ENDPOINT_USES, "{}").endpointId()).isEmpty();
    }

    @Test
    void membersOfANewerProgramArePassedOver() {
        String document = """
            {"future": {"deep": [1, 2.5, {"a": null}, ["x", null]], "on": true, "off": false}, "name": "kept",
             "count": 9007199254740993, "ratio": 1e3, "tier": "SCALE", "paid": true,
             "privateEndpoints": [{"id": "vpce-1", "future": [], "region": null}], "late": null}\
            """;
        Organization row = read(OrganizationRows.ORGANIZATIONS, document);
        assertThat(row.name()).isEqualTo("kept");
        assertThat(row.tier()).isEqualTo(OrganizationTier.SCALE);
        assertThat(row.paid()).isTrue();
        assertThat(row.privateEndpoints()).containsExactly(new PrivateEndpoint("vpce-1", null, null, null, false));
    }

    @Test
    void partsOfAServiceHaveTheirOwnFallbacks() {
        Service row = read(
                ServiceRows.SERVICES, "{\"scaling\": {\"band\": {}}, \"tags\": [{}], \"seen\": {\"everRan\": true}}");
        assertThat(row.scaling().band()).isEqualTo(new Scaling.Band(1, 1));
        assertThat(row.details().tags()).containsExactly(new Tag("", null));
        assertThat(row.seen().everRan()).isTrue();
    }

    @Test
    void documentThatIsNoObjectIsRefused() {
        assertThatIllegalStateException().isThrownBy(() -> Document.of(bytes("[]")));
    }

    @Test
    void memberOfAnotherTypeIsRefused() {
        assertThatExceptionOfType(ClassCastException.class)
                .isThrownBy(() -> OrganizationRows.ORGANIZATIONS.read(HEAD, bytes("{\"name\": 5}")));
    }

    @Test
    void valueThatNoProgramKnowsIsRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> OrganizationRows.ORGANIZATIONS.read(HEAD, bytes("{\"tier\": \"GOLD\"}")));
    }

    @Test
    void nullsAreLeftOutAndAllIsAscii() {
        Organization row = read(OrganizationRows.ORGANIZATIONS, """
            {"name": "Größe", "privateEndpoints": [{"id": "é", "region": null}]}\
            """);
        assertThat(OrganizationRows.ORGANIZATIONS.write(row, 8).document())
                .isEqualTo("{\"name\":\"Gr\\u00F6\\u00DFe\",\"tier\":\"BASIC\",\"paid\":false,"
                        + "\"enableCoreDumps\":false,\"privateEndpoints\":[{\"id\":\"\\u00E9\"}],\"byocConfig\":[]}");
    }

    @Test
    void writtenRowIsTheOneThatIsReadAgain() {
        Service row = read(ServiceRows.SERVICES, "{\"name\": \"kept\", \"origin\": {}, \"tags\": [{}]}");
        Rows.Written<Service> written = ServiceRows.SERVICES.write(row, HEAD.version());
        assertThat(written.row()).isEqualTo(row);
        assertThat(read(ServiceRows.SERVICES, written.document())).isEqualTo(row);
        assertThat(ServiceRows.SERVICES.write(row, 8).row().version()).isEqualTo(8);
    }
}
