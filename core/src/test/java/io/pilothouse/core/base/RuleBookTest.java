package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RuleBookTest {
    @Test
    void everyConstantHasItsOwnName() throws IllegalAccessException {
        Map<String, Rule> named = RuleBook.of(Edition.SEED).byName();
        for (Field constant : RuleBook.class.getFields()) {
            if (constant.get(null) instanceof Rule rule) {
                assertThat(named.get(constant.getName())).as(constant.getName()).isSameAs(rule);
            }
        }
    }

    @Test
    void everyRuleHasANameAndTheEditionsDifferInTheirOwn() {
        Map<String, Rule> seed = RuleBook.of(Edition.SEED).byName();
        Map<String, Rule> cloud = RuleBook.of(Edition.CLOUD).byName();
        assertThat(seed).containsEntry("REPLICAS", RuleBook.REPLICAS).hasSameSizeAs(cloud);
        assertThat(seed.keySet().stream().filter(name -> !Objects.equals(seed.get(name), cloud.get(name))))
                .containsExactly(
                        "pipeReplicas",
                        "regions",
                        "regions of aws",
                        "regions of azure",
                        "regions of gcp",
                        "serviceName");
        assertThat(RuleBook.of(Edition.SEED).regionsOf("moon").words()).isEmpty();
    }

    @Test
    void anIdleTimeoutHasTwoEndsAndTheFaultNamesTheOneThatWasPassed() {
        NumberRule rule = RuleBook.IDLE_TIMEOUT_MINUTES;
        assertThat(rule.breach(5)).isEmpty();
        assertThat(rule.breach(2_147_483_648.0)).isEmpty();
        assertThat(rule.breach(0x1p53)).isEmpty();
        assertThat(rule.breach(4)).contains("must be 5 or more");
        assertThat(rule.breach(0x1p53 + 2)).contains("must be at most 9007199254740992");
        assertThat(rule.breach(1e30)).contains("must be at most 9007199254740992");
    }
}
