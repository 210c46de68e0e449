package io.pilothouse.core.setting;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.TextRule;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Service;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which values each sort of setting takes, and which settings are in force. */
class SettingValuesTest {
    private static final SettingValues WHOLE = new SettingValues.Whole(BigInteger.ONE, BigInteger.TEN, false);
    private static final SettingValues THREADS = new SettingValues.Whole(BigInteger.ONE, BigInteger.TEN, true);
    private static final SettingValues FRACTION = new SettingValues.Fraction(BigDecimal.ZERO, BigDecimal.TEN, false);
    private static final SettingValues RATIO = new SettingValues.Fraction(BigDecimal.ZERO, BigDecimal.TEN, true);

    @Test
    void aWholeNumberIsWholeAndWithinItsBounds() {
        assertTaken(WHOLE, "1", "10");
        assertThat(WHOLE.breach("0")).contains("must be from 1 to 10");
        assertThat(WHOLE.breach("11")).contains("must be from 1 to 10");
        for (String other : List.of("", "1.5", "ten", "auto", " 1", "1".repeat(21))) {
            assertThat(WHOLE.breach(other)).contains("must be a whole number");
        }
        assertTaken(THREADS, "auto", "3");
        assertThat(THREADS.breach("some")).contains("must be a whole number or auto");
    }

    @Test
    void aFractionIsANumberWithinItsBounds() {
        assertTaken(FRACTION, "0", "0.5", "10.0");
        assertThat(FRACTION.breach("-0.1")).contains("must be from 0 to 10");
        assertThat(FRACTION.breach("10.1")).contains("must be from 0 to 10");
        assertThat(FRACTION.breach("auto")).contains("must be a number");
        assertTaken(RATIO, "auto", "0.25");
        assertThat(RATIO.breach("half")).contains("must be a number or auto");
    }

    @Test
    void aFlagIsOnOrOff() {
        assertTaken(new SettingValues.Flag(false), "0", "1", "true", "false");
        assertThat(new SettingValues.Flag(false).breach("auto")).contains("must be 0 or 1");
        assertTaken(new SettingValues.Flag(true), "auto", "1");
        assertThat(new SettingValues.Flag(true).breach("2")).contains("must be 0 or 1 or auto");
    }

    @Test
    void aWordIsOneOfAList() {
        SettingValues one = new SettingValues.Words(List.of("", "throw", "break"), false);
        assertTaken(one, "", "throw");
        assertThat(one.breach("throw,break")).contains("must be one of throw, break");
        SettingValues many = new SettingValues.Words(List.of("hash", "direct"), true);
        assertTaken(many, "hash", "direct,hash");
        assertThat(many.breach("hash,")).contains("must be some of hash, direct");
    }

    @Test
    void whatIsFixedTakesNothingAndIsNotOffered() {
        SettingValues fixed = new SettingValues.Fixed("is read-only");
        assertThat(fixed.breach("1")).contains("is read-only");
        SettingValues text = new SettingValues.Text(TextRule.any(3));
        assertTaken(text, "abc");
        assertThat(text.breach("abcd")).isPresent();
        SettingTable table = SettingTable.of(
                List.of(
                        new SettingShape("b", fixed, "0", "", null),
                        new SettingShape("c", text, "", "", null),
                        new SettingShape("a", WHOLE, "1", "", null)),
                null);
        assertThat(table.offered().map(SettingShape::name)).containsExactly("a", "c");
        assertThat(table.find("b")).isPresent();
        assertThat(table.find("d")).isEmpty();
    }

    @Test
    void clientsAreShownTheTypesOfTheLiveService() {
        assertThat(WHOLE.type()).isEqualTo("integer");
        assertThat(FRACTION.type()).isEqualTo("number");
        assertThat(new SettingValues.Flag(false).type()).isEqualTo("integer");
        assertThat(new SettingValues.Words(List.of("a"), false).type()).isEqualTo("string");
        assertThat(new SettingValues.Text(TextRule.any(3)).type()).isEqualTo("string");
        assertThat(new SettingValues.Fixed("").type()).isEqualTo("string");
    }

    @Test
    void aValueMayBeGivenAsATextANumberOrAFlag() {
        assertThat(SettingText.of(new Tree.Text("a"))).contains("a");
        assertThat(SettingText.of(new Tree.Flag(true))).contains("1");
        assertThat(SettingText.of(new Tree.Flag(false))).contains("0");
        assertThat(SettingText.of(new Tree.Figure(100))).contains("100");
        assertThat(SettingText.of(new Tree.Figure(0.5))).contains("0.5");
        assertThat(SettingText.of(new Tree.Figure(-9_007_199_254_740_992.0))).isEmpty();
        assertThat(SettingText.of(new Tree.Nothing())).isEmpty();
        assertThat(SettingText.of(new Tree.Items(List.of()))).isEmpty();
        assertThat(SettingText.of(Tree.Members.NONE)).isEmpty();
    }

    @Test
    void aServicesSettingsGoOverTheProgramsOwn() {
        Service service = Given.service();
        String memory = Long.toString(ServiceSettings.memoryBytes(service));
        assertThat(ServiceSettings.inForce(service))
                .isEqualTo(Map.of("max_concurrent_queries_for_user", "200", "max_memory_usage", memory));
        Service asking = service.withSettings(List.of(
                new Service.Setting("max_memory_usage", "1000", "0"), new Service.Setting("max_threads", "4", "auto")));
        assertThat(ServiceSettings.inForce(asking))
                .isEqualTo(Map.of(
                        "max_concurrent_queries_for_user", "200", "max_memory_usage", "1000", "max_threads", "4"));
    }

    private static void assertTaken(SettingValues values, String... taken) {
        for (String value : taken) {
            assertThat(values.breach(value)).as(value).isEmpty();
        }
    }
}
