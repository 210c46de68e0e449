package io.pilothouse.http.emulator;

import static io.pilothouse.http.wire.Verb.DELETE;
import static io.pilothouse.http.wire.Verb.GET;
import static io.pilothouse.http.wire.Verb.POST;
import static io.pilothouse.http.wire.Verb.PUT;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Every control of the emulator: its path under {@code /_pilothouse}, and the command lines that ask for it. Each
 * constant is spelled as its operation id in {@code emulator-openapi.json}.
 */
public enum EmulatorOperation {
    emulatorOpenapiGet(GET, "/openapi.json"),
    emulatorClockGet(GET, "/clock", CommandLine.of("clock", "shows the time that the server goes by")),
    emulatorClockPut(
            PUT,
            "/clock",
            CommandLine.of("clock-stop", "stops that time").with("rate", new Tree.Figure(0)),
            CommandLine.of("clock-run", "lets it run, or run RATE times as fast as a watch")
                    .with("rate", new Tree.Figure(1))
                    .takes("rate", "[RATE]", CommandLine.Type.NUMBER),
            CommandLine.of("clock-forward", "moves it forward by a duration such as 90s, 36h or 2d")
                    .takes("forwardSeconds", "DURATION", CommandLine.Type.SECONDS),
            CommandLine.of("clock-set", "moves it forward to a moment such as 2031-05-01T00:00:00Z")
                    .takes("now", "TIME", CommandLine.Type.TEXT)),
    emulatorOrganizationGetList(GET, "/organizations", CommandLine.of("organizations", "lists all organizations")),
    emulatorOrganizationCreate(
            POST,
            "/organizations",
            CommandLine.of("organization-create", "makes an organization and its first key")
                    .takes("name", "[NAME]", CommandLine.Type.TEXT)),
    emulatorOrganizationErase(
            DELETE,
            "/organizations/{tenantId}",
            CommandLine.of("organization-erase", "erases an organization with everything in it")
                    .takes("tenantId", "ID", CommandLine.Type.PATH)),
    emulatorFaultGetList(
            GET, "/faults", CommandLine.of("faults", "lists the faults that are set, and what each has struck")),
    emulatorFaultCreate(
            POST,
            "/faults",
            CommandLine.of("fault-set", "sets one fault more").takes("", "FILE", CommandLine.Type.FILE)),
    emulatorFaultReplaceAll(
            PUT,
            "/faults",
            CommandLine.of("faults-set", "sets a plan of faults in the place of all that are set")
                    .takes("", "FILE", CommandLine.Type.FILE)),
    emulatorFaultDeleteAll(DELETE, "/faults", CommandLine.of("faults-clear", "takes all faults back")),
    emulatorFaultDelete(
            DELETE,
            "/faults/{faultName}",
            CommandLine.of("fault-clear", "takes one fault back").takes("faultName", "NAME", CommandLine.Type.PATH)),
    emulatorSnapshotGetList(GET, "/snapshots", CommandLine.of("snapshots", "lists all snapshots")),
    emulatorSnapshotGet(
            GET,
            "/snapshots/{snapshotName}",
            CommandLine.of("snapshot", "shows a snapshot").takes("snapshotName", "NAME", CommandLine.Type.PATH)),
    emulatorSnapshotTake(
            POST,
            "/snapshots/{snapshotName}",
            CommandLine.of("snapshot-take", "keeps what an organization has now, or the whole server")
                    .takes("snapshotName", "NAME", CommandLine.Type.PATH)
                    .takes("organizationId", "[ORGANIZATION]", CommandLine.Type.TEXT)),
    emulatorSnapshotReturn(
            POST,
            "/snapshots/{snapshotName}/return",
            CommandLine.of("snapshot-return", "makes that what it was when the snapshot was taken")
                    .takes("snapshotName", "NAME", CommandLine.Type.PATH)),
    emulatorSnapshotFork(
            POST,
            "/snapshots/{snapshotName}/fork",
            CommandLine.of("snapshot-fork", "makes a new organization out of one in a snapshot")
                    .takes("snapshotName", "NAME", CommandLine.Type.PATH)
                    .takes("name", "[TITLE]", CommandLine.Type.TEXT)
                    .takes("organizationId", "[ORGANIZATION]", CommandLine.Type.TEXT)),
    emulatorSnapshotDelete(
            DELETE,
            "/snapshots/{snapshotName}",
            CommandLine.of("snapshot-delete", "deletes a snapshot")
                    .takes("snapshotName", "NAME", CommandLine.Type.PATH));

    /** Where the controls are. */
    public static final String ROOT = "/_pilothouse";

    private final Verb verb;
    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // A copy of records, which nobody can change.
    private final List<CommandLine> lines;

    EmulatorOperation(Verb verb, String path, CommandLine... lines) {
        this.verb = verb;
        this.path = ROOT + path;
        this.lines = List.of(lines);
    }

    public Verb verb() {
        return verb;
    }

    public String path() {
        return path;
    }

    /** The command lines that ask for it. */
    public List<CommandLine> lines() {
        return lines;
    }

    /** The words after {@code ./pilothouse emulator} that ask for this request; empty where none do. */
    public static Optional<List<String>> command(Verb verb, String path, Tree.Members body) {
        return Arrays.stream(values())
                .filter(operation -> operation.verb == verb)
                .flatMap(operation -> operation.typed(path, body))
                .findFirst();
    }

    private Stream<List<String>> typed(String whole, Tree.Members body) {
        return inPath(whole).stream()
                .flatMap(found -> lines.stream().flatMap(line -> line.typed(found, body).stream()));
    }

    /** The parameters in a path of this operation; empty where it is that of another, or has what no command takes. */
    private Optional<Map<String, String>> inPath(String whole) {
        List<String> names = List.of(path.split("/", -1));
        List<String> parts = List.of(whole.split("/", -1));
        if (names.size() != parts.size()) {
            return Optional.empty();
        }
        Map<String, String> found = new HashMap<>();
        for (int at = 0; at < names.size(); at++) {
            String name = names.get(at);
            if (name.startsWith("{") && CommandLine.fitsInPath(parts.get(at))) {
                found.put(name.substring(1, name.length() - 1), parts.get(at));
            } else if (!name.equals(parts.get(at))) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }

    /** The route of this operation, for operators alone: they may make organizations, and nobody else may. */
    public Route forOperators(Route.Handler handler) {
        return new Route(name(), verb, path, Permission.ORGANIZATION_CREATE, handler);
    }

    /** The route of this operation for anybody. */
    public PublicRoute open(PublicRoute.Handler handler) {
        return new PublicRoute(name(), verb, path, handler);
    }
}
