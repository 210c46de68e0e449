package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
        rules.mysql(List.of(new EndpointSwitch("", true)), false);
        rules.checkTags("tags", List.of(new Tag("", null)));
        assertThat(faults.list())
                .extracting(Fault::message)
                .containsOnly("is required")
                .hasSize(3);
    }

    @Test
    void whatWasReadIsStillJudged() {
        rules.checkEntries("ipAccessList", List.of(new IpAccessEntry("", null)));
        rules.mysql(List.of(new EndpointSwitch("", true)), false);
        rules.checkTags("tags", List.of(new Tag("", null)));
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly("ipAccessList[0].source", "endpoints[0].protocol", "tags[0].key");
    }
}
