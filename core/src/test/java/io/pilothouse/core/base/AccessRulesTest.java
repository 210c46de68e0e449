package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A value that could not be read is reported once. */
class AccessRulesTest {
    private final Faults faults = new Faults();
    private final AccessRules rules = new AccessRules(faults);

    @Test
    void whatIsMissingIsNotAlsoMisshapen() {
        faults.add("ipAccessList[0].source", "is required");
        faults.add("endpoints[0].protocol", "is required");
        faults.add("tags[0].key", "is required");
        rules.checkEntries("ipAccessList", List.of(new IpAccessEntry("", null)));
        rules.mysql(List.of(new EndpointSwitch("", true)), false, true);
        rules.checkTags("tags", List.of(new Tag("", null)));
        assertThat(faults.list())
                .extracting(Fault::message)
                .containsOnly("is required")
                .hasSize(3);
    }

    @Test
    void whatWasReadIsStillJudged() {
        rules.checkEntries("ipAccessList", List.of(new IpAccessEntry("", null)));
        rules.mysql(List.of(new EndpointSwitch("", true)), false, true);
        rules.checkTags("tags", List.of(new Tag("", null)));
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly("ipAccessList[0].source", "endpoints[0].protocol", "tags[0].key");
    }

    @Test
    void whatIsAlwaysOnIsNotSwitchedOffAndAnUnreadableSwitchIsReportedOnce() {
        faults.add("endpoints[1].enabled", "must be true or false");
        rules.mysql(
                List.of(new EndpointSwitch("https", false), new EndpointSwitch("nativesecure", false)), false, true);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly("endpoints[1].enabled", "endpoints[0].protocol");
    }

    @Test
    void blocksAreEqualByValue() {
        IpBlock block = IpBlock.parse("192.0.2.7/24").orElseThrow();
        assertThat(block)
                .isEqualTo(IpBlock.parse("192.0.2.0/24").orElseThrow())
                .hasSameHashCodeAs(IpBlock.parse("192.0.2.0/24").orElseThrow())
                .isNotEqualTo(IpBlock.parse("192.0.2.0/25").orElseThrow())
                .isNotEqualTo(IpBlock.parse("192.0.3.0/24").orElseThrow())
                .isNotEqualTo("192.0.2.0/24");
    }

    private static IpAccessEntry entry(String source, @Nullable String description) {
        return new IpAccessEntry(source, description);
    }

    @Test
    void anAddressIsTheSameHoweverItIsWritten() {
        List<IpAccessEntry> current =
                List.of(entry("2001:db8::1", "six"), entry("192.0.2.7", "four"), entry("10.0.0.0/8", null));
        assertThat(rules.change(
                        current,
                        new ListChange<>(
                                List.of(),
                                List.of(
                                        entry("2001:DB8:0::1", null),
                                        entry("192.0.2.7/32", null),
                                        entry("::ffff:10.1.2.3/104", null)))))
                .isEmpty();
        assertThat(rules.change(
                        current,
                        new ListChange<>(
                                List.of(entry("2001:DB8:0:0::1/128", "new"), entry("192.0.2.7/32", null)), List.of())))
                .as("place and spelling stay, and a description that is not given does too")
                .containsExactly(entry("2001:db8::1", "new"), entry("192.0.2.7", "four"), entry("10.0.0.0/8", null));
        assertThat(AccessRules.distinct(List.of(entry("::1", "a"), entry("192.0.2.1", null), entry("0:0::1", "b"))))
                .containsExactly(entry("::1", "b"), entry("192.0.2.1", null));
        assertThat(faults.none()).isTrue();
    }

    @Test
    void onlyAnAddressCanBeRemoved() {
        rules.change(
                List.of(), new ListChange<>(List.of(), List.of(entry("192.0.2.1", null), entry("nonsense", null))));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("ipAccessList.remove[1].source");
    }

    @Test
    void aProtocolThatIsAlwaysOnMayBeNamedAsOn() {
        List<EndpointSwitch> shown = List.of(
                new EndpointSwitch("https", true),
                new EndpointSwitch("mysql", true),
                new EndpointSwitch("nativesecure", true));
        assertThat(rules.mysql(shown, false, true)).isTrue();
        assertThat(rules.mysql(List.of(new EndpointSwitch("https", true)), false, true))
                .as("nothing is switched by what another protocol says")
                .isFalse();
        assertThat(faults.none()).isTrue();
        rules.mysql(
                List.of(new EndpointSwitch("https", false), new EndpointSwitch("nativesecure", false)), false, true);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly("endpoints[0].protocol", "endpoints[1].protocol");
    }

    @Test
    void aProtocolThatIsNotSpokenCannotBeSwitchedOn() {
        List<EndpointSwitch> on = List.of(new EndpointSwitch("mysql", true));
        assertThat(rules.mysql(on, true, false)).as("on already").isTrue();
        assertThat(rules.mysql(List.of(new EndpointSwitch("mysql", false)), true, false))
                .isFalse();
        assertThat(faults.none()).isTrue();
        rules.mysql(on, false, false);
        assertThat(faults.list()).extracting(Fault::path).containsExactly("endpoints[0].protocol");
    }
}
