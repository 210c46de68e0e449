package io.pilothouse.console.screen;

import io.pilothouse.console.screen.Screen.Asked;
import io.pilothouse.console.screen.Screen.Column;
import io.pilothouse.console.screen.Screen.Facts;
import io.pilothouse.console.screen.Screen.Lines;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.wire.Verb;
import java.util.List;

/** The controls of the emulator: its clock, faults, snapshots and organizations. */
final class EmulatorScreens {
    private static final String CLOCK = EmulatorOperation.ROOT + "/clock";
    private static final String FAULTS = EmulatorOperation.ROOT + "/faults";
    private static final String SNAPSHOTS = EmulatorOperation.ROOT + "/snapshots";
    private static final String ORGANIZATIONS = EmulatorOperation.ROOT + "/organizations";
    private static final String BUSY = """
        {"name": "busy", "effect": "answer", "status": 429, "operations": ["instanceGet"], "count": 3}""";
    private static final String PLAN = """
        {
          "seed": 7,
          "faults": [
            {"name": "lost-answers", "effect": "cut-after", "operations": ["instanceCreate"], "count": 1},
            {"name": "busy", "effect": "answer", "status": 429, "operations": ["instanceGet"], "probability": 0.3}
          ]
        }""";

    private EmulatorScreens() {}

    static List<Screen> all() {
        return List.of(Screen.of(
                        "consoleEmulator",
                        "/emulator",
                        "Emulator",
                        new Asked(Form.of(
                                "rate",
                                "Set how fast the clock runs",
                                Verb.PUT,
                                CLOCK,
                                Input.number("Times as fast as a watch; 0 stops it", "rate", "0"))),
                        new Asked(Form.of(
                                "forward",
                                "Move the clock forward",
                                Verb.PUT,
                                CLOCK,
                                Input.number("Seconds", "forwardSeconds", "3600"))),
                        new Asked(Form.of(
                                        "moment",
                                        "Move the clock to a moment",
                                        Verb.PUT,
                                        CLOCK,
                                        Input.text("Moment, as 2031-05-01T00:00:00Z", "now", "")
                                                .filledBy("now"))
                                .filledFrom(CLOCK)),
                        faults(),
                        new Facts("Seed of the faults", FAULTS, List.of(Column.text("Seed", "seed")), ""),
                        new Asked(Form.of(
                                "fault",
                                "Set one fault more",
                                Verb.POST,
                                FAULTS,
                                Input.body("The fault, as JSON", BUSY))),
                        new Asked(Form.of(
                                "plan",
                                "Set a plan of faults in the place of all",
                                Verb.PUT,
                                FAULTS,
                                Input.body("The plan, as JSON; without a seed, one is drawn", PLAN))),
                        new Asked(Form.of("nofaults", "Take all faults back", Verb.DELETE, FAULTS)),
                        snapshots(),
                        new Asked(Form.of(
                                "snapshot",
                                "Take a snapshot",
                                Verb.POST,
                                SNAPSHOTS + "/{snapshotName}",
                                Input.inPath("Name", "snapshotName", "before"),
                                Input.text("Id of an organization; empty for the whole server", "organizationId", ""))),
                        organizations(),
                        new Asked(Form.of(
                                        "organization",
                                        "Make an organization",
                                        Verb.POST,
                                        ORGANIZATIONS,
                                        Input.text("Name", "name", "Test organization"))
                                .showing("key.keyId", "key.keySecret")))
                .watching(new Facts(
                        "Clock",
                        CLOCK,
                        List.of(
                                Column.moment("It is", "now"),
                                Column.text("Times as fast as a watch", "rate"),
                                Column.moment("On this machine", "machine")),
                        "")));
    }

    private static Lines faults() {
        return new Lines(
                "Faults",
                FAULTS,
                "faults",
                List.of(
                        Column.text("Name", "name"),
                        Column.text("Effect", "effect"),
                        Column.text("Status", "status"),
                        Column.text("Operations", "operations"),
                        Column.text("Probability", "probability"),
                        Column.text("Could have struck", "met"),
                        Column.text("Struck", "struck")),
                "",
                "There are no faults. Set one below, or a plan of several, and requests meet them.",
                List.of(Form.of("nofault", "Take it back", Verb.DELETE, FAULTS + "/{row}")));
    }

    private static Lines snapshots() {
        return new Lines(
                "Snapshots",
                SNAPSHOTS,
                "",
                List.of(
                        Column.text("Name", "name"),
                        Column.moment("Taken", "takenAt"),
                        Column.text("Of the organization", "organizationId"),
                        Column.text("Services", "services"),
                        Column.text("Rows", "rows"),
                        Column.text("Bytes", "bytes"),
                        Column.text("Bytes of data", "dataBytes")),
                "",
                "There is no snapshot: take one below, and you can go back to it or fork it.",
                List.of(
                        Form.of("return", "Go back to it", Verb.POST, SNAPSHOTS + "/{row}/return"),
                        fork(),
                        Form.of("unsnapshot", "Delete", Verb.DELETE, SNAPSHOTS + "/{row}")));
    }

    /** Its keys are copies with secrets of their own, which are shown this once. */
    private static Form fork() {
        return Form.of(
                        "fork",
                        "Fork into a new organization",
                        Verb.POST,
                        SNAPSHOTS + "/{row}/fork",
                        Input.text("Name of the new one; empty for the same", "name", ""),
                        Input.text(
                                "Id of the organization to fork, of a snapshot of the whole server",
                                "organizationId",
                                ""))
                .showing("organization", "keys", "alertsTokens");
    }

    private static Lines organizations() {
        return new Lines(
                "Organizations",
                ORGANIZATIONS,
                "",
                List.of(
                        Column.text("Name", "name"),
                        Column.text("Id", "id"),
                        Column.moment("Made", "createdAt"),
                        Column.text("Is being erased", "erasing")),
                "",
                "There is no organization.",
                List.of(Form.of("erase", "Erase with everything in it", Verb.DELETE, ORGANIZATIONS + "/{row}")));
    }
}
