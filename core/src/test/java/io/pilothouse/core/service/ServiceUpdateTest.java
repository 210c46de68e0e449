package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceUpdateTest {
    private static final ServiceChange NOTHING =
            new ServiceChange(null, null, null, null, null, null, null, Tree.Members.NONE);
    private final Faults faults = new Faults();

    @Test
    void anEmptyChangeChangesNothing() {
        Service service = Given.service();
        ServiceUpdate update = ServiceUpdate.of(service, NOTHING, faults);
        ServiceUpdate.check(NOTHING, Given.SEED, faults);
        assertThat(update.next()).isEqualTo(service);
        assertThat(update.activityTypes()).isEmpty();
        assertThat(faults.none()).isTrue();
    }

    @Test
    void everyChangeLeavesItsOwnActivity() {
        Service service = Given.design(Map.of("hasTransparentDataEncryption", true), Given.enterprise())
                .service();
        ServiceChange change = new ServiceChange(
                "New name",
                adding(new IpAccessEntry("10.0.0.0/8", null)),
                adding("vpce-1"),
                "fast",
                List.of(new EndpointSwitch("mysql", true)),
                "key-2",
                adding(new Tag("team", "data")),
                Trees.members(Map.of("enableCoreDumps", true)));
        ServiceUpdate.check(change, Given.SEED, faults);
        ServiceUpdate update = ServiceUpdate.of(service, change, faults);
        assertThat(faults.none()).isTrue();
        assertThat(update.next().name()).isEqualTo("New name");
        assertThat(update.next().access().mysql()).isTrue();
        assertThat(update.next().details().encryption().transparentKeyId()).isEqualTo("key-2");
        assertThat(update.activityTypes())
                .containsExactly(
                        "service_update_name",
                        "service_update_ip_access_list",
                        "service_update_private_endpoints",
                        "service_update_release_channel",
                        "service_update_endpoints",
                        "service_update_encryption_key",
                        "service_update_tags",
                        "service_update_core_dump");
    }

    @Test
    void removingHappensBeforeAddingAndAnEntryThatIsThereKeepsItsPlace() {
        AccessRules rules = new AccessRules(faults);
        List<IpAccessEntry> current =
                List.of(entry("10.0.0.1", "one"), entry("10.0.0.2", "two"), entry("::1", "three"));
        assertThat(rules.change(current, new ListChange<>(List.of(entry("10.0.0.2", "new")), List.of())))
                .containsExactly(entry("10.0.0.1", "one"), entry("10.0.0.2", "new"), entry("::1", "three"));
        assertThat(rules.change(
                        current,
                        new ListChange<>(
                                List.of(entry("10.0.0.1", "again")),
                                List.of(entry("10.0.0.1", null), entry("192.0.2.1", null)))))
                .containsExactly(entry("10.0.0.2", "two"), entry("::1", "three"), entry("10.0.0.1", "again"));
        assertThat(rules.changeEndpoints(List.of("a", "b"), new ListChange<>(List.of("a", "c", "c"), List.of("a"))))
                .containsExactly("b", "a", "c");
        assertThat(rules.changeTags(
                        List.of(new Tag("k", "1"), new Tag("l", null)),
                        new ListChange<>(List.of(new Tag("l", "2"), new Tag("m", "3")), List.of(new Tag("k", null)))))
                .containsExactly(new Tag("l", "2"), new Tag("m", "3"));
        assertThat(faults.none()).isTrue();
    }

    @Test
    void faultsThatNeedNoServiceAreReportedFirst() {
        ServiceChange change = new ServiceChange(
                "a_b",
                adding(new IpAccessEntry("nowhere", "d".repeat(256))),
                adding(" "),
                "hourly",
                List.of(
                        new EndpointSwitch("https", false),
                        new EndpointSwitch("postgres", true),
                        new EndpointSwitch("mysql", true),
                        new EndpointSwitch("mysql", false)),
                "",
                new ListChange<>(
                        List.of(new Tag("bad key", null), new Tag("k", "bad value"), new Tag("k", "v")), List.of()),
                Trees.members(Map.of("enableCoreDumps", "yes")));
        ServiceUpdate.check(change, Given.SEED, faults);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "name",
                        "ipAccessList.add[0].source",
                        "ipAccessList.add[0].description",
                        "privateEndpointIds.add[0]",
                        "releaseChannel",
                        "endpoints[0].protocol",
                        "endpoints[1].protocol",
                        "endpoints[3].protocol",
                        "transparentDataEncryptionKeyId",
                        "tags.add[0].key",
                        "tags.add[1].value",
                        "tags.add[2].key",
                        "enableCoreDumps");
    }

    @Test
    void aServiceThatEncryptsHasAKeyFromItsCreationOn() {
        Service service = Given.design(Map.of("hasTransparentDataEncryption", true), Given.enterprise())
                .service();
        String first = Objects.toString(service.transparentDataEncryptionKeyId(), "");
        assertThat(first).isNotBlank();
        assertThat(Given.service().transparentDataEncryptionKeyId()).isNull();
        assertThat(rotated(service, first).activityTypes()).isEmpty();
        ServiceUpdate update = rotated(service, "key-2");
        assertThat(update.next().transparentDataEncryptionKeyId()).isEqualTo("key-2");
        assertThat(update.activityTypes()).containsExactly("service_update_encryption_key");
        assertThat(faults.none()).isTrue();
    }

    private ServiceUpdate rotated(Service service, String keyId) {
        ServiceChange change = new ServiceChange(null, null, null, null, null, keyId, null, Tree.Members.NONE);
        return ServiceUpdate.of(service, change, faults);
    }

    @Test
    void aKeyToRotateNeedsTransparentEncryption() {
        ServiceChange change = new ServiceChange(null, null, null, null, null, "key-2", null, Tree.Members.NONE);
        ServiceUpdate.of(Given.service(), change, faults);
        assertThat(faults.list()).extracting(Fault::path).containsExactly("transparentDataEncryptionKeyId");
    }

    @Test
    void aDevelopmentServiceHasNoReleaseChannel() {
        Service service =
                Given.design(Map.of("tier", "development"), Given.enterprise()).service();
        ServiceChange change = new ServiceChange(null, null, null, "fast", null, null, null, Tree.Members.NONE);
        ServiceUpdate.of(service, change, faults);
        assertThat(faults.list()).extracting(Fault::path).containsExactly("releaseChannel");
    }

    @Test
    void listsHaveACeilingAlsoAfterAdding() {
        AccessRules rules = new AccessRules(faults);
        List<IpAccessEntry> thousand = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            thousand.add(entry("10.0." + i / 256 + "." + i % 256, null));
            ids.add("vpce-" + i);
        }
        rules.checkEntries("ipAccessList", thousand);
        assertThat(faults.none()).isTrue();
        rules.change(thousand, adding(entry("192.0.2.1", null)));
        rules.changeEndpoints(ids, adding("one-more"));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("ipAccessList.add", "privateEndpointIds.add");
        thousand.add(entry("192.0.2.1", null));
        Faults whole = new Faults();
        new AccessRules(whole).checkEntries("ipAccessList", thousand);
        assertThat(whole.list()).extracting(Fault::path).containsExactly("ipAccessList");
    }

    private static IpAccessEntry entry(String source, @Nullable String description) {
        return new IpAccessEntry(source, description);
    }

    private static <T> ListChange<T> adding(T one) {
        return new ListChange<>(List.of(one), List.of());
    }
}
