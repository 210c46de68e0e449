package io.pilothouse.console.screen;

import io.pilothouse.core.base.RuleBook;
import java.util.List;
import java.util.stream.Stream;

/** All screens there are. */
public final class Screens {
    private Screens() {}

    /** {@code emulated} adds the controls of the emulator. */
    public static List<Screen> all(RuleBook rules, boolean emulated) {
        return Stream.of(
                        emulated ? EmulatorScreens.all() : List.<Screen>of(),
                        ServiceScreens.all(rules),
                        PipeScreens.all(),
                        AlertScreens.all(),
                        OrganizationScreens.all())
                .flatMap(List::stream)
                .toList();
    }
}
