package io.pilothouse.server.api;

import io.pilothouse.core.base.Edition;
import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.server.ClientCases;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** docs/compatibility.md says which live operations are served: this test makes it, and a page that is out of date fails. */
class CompatibilityPageTest {
    @RegisterExtension
    static final House seed = House.start();

    @RegisterExtension
    static final House cloud = House.start(Edition.CLOUD);

    private final StringBuilder page = new StringBuilder();

    @Test
    void thePageShowsHowFarEveryLiveOperationIsServed() throws IOException {
        Set<String> served =
                seed.entrances().stream().map(AnyRoute::operationId).collect(Collectors.toSet());
        Compatibility compatibility =
                new Compatibility(served, Map.of(Edition.SEED, document(seed), Edition.CLOUD, document(cloud)));
        Map<String, List<Compatibility.Standing>> byTag = LiveOperations.read().list().stream()
                .map(compatibility::of)
                .collect(Collectors.groupingBy(
                        standing -> standing.operation().tag(), LinkedHashMap::new, Collectors.toList()));
        line("# How far the live service's operations are served");
        line("");
        line(
                "A test makes this page from the program and from the names in the live service's document, and fails when it is out of date.");
        line(
                "*whole*: every field, parameter and word of the live document is there. *partly*: some are not, and the table names them; what is ignored is not refused.");
        line(
                "*not yet*: a 404. Limits of the edition `seed` are those of its contract; `--rules cloud` has the wider ones.");
        line("`O` is `/v1/organizations/{organizationId}`, `S` is `O/services/{serviceId}`.");
        summary(byTag);
        byTag.forEach(this::table);
        clients();
        GeneratedPage.requireUpToDate("compatibility.md", page.toString());
    }

    private static JsonNode document(House house) {
        return house.nobody().get("/openapi.json").json();
    }

    private void summary(Map<String, List<Compatibility.Standing>> byTag) {
        line("");
        line("| Tag | Operations | Whole, `seed` | Whole, `cloud` | Partly, `cloud` | Not yet |");
        line("|---|---|---|---|---|---|");
        byTag.forEach((tag, all) -> row(tag, all));
        row("all", byTag.values().stream().flatMap(List::stream).toList());
    }

    private void row(String name, List<Compatibility.Standing> all) {
        long served = all.stream().filter(Compatibility.Standing::served).count();
        long whole = all.stream().filter(one -> one.whole(Edition.CLOUD)).count();
        long wholeInSeed = all.stream().filter(one -> one.whole(Edition.SEED)).count();
        cells(name, all.size(), wholeInSeed, whole, served - whole, all.size() - served);
    }

    private void table(String tag, List<Compatibility.Standing> all) {
        line("");
        line("## " + tag);
        if (all.stream().noneMatch(Compatibility.Standing::served)) {
            line("None of its " + all.size() + " operations is served yet.");
            return;
        }
        line("| Operation | Path | `seed` | `cloud` | What differs |");
        line("|---|---|---|---|---|");
        for (Compatibility.Standing one : all) {
            Operation operation = Operation.valueOf(one.operation().id());
            String path = operation
                    .path()
                    .replace("/v1/organizations/{organizationId}", "O")
                    .replace("O/services/{serviceId}", "S");
            cells(
                    "`" + operation + "`",
                    operation.verb() + " `" + path + "`",
                    word(one, Edition.SEED),
                    word(one, Edition.CLOUD),
                    differing(one));
        }
    }

    private static String word(Compatibility.Standing one, Edition edition) {
        return !one.served() ? "not yet" : one.whole(edition) ? "whole" : "partly";
    }

    /** What both editions lack once, then what one of them lacks alone. */
    private static String differing(Compatibility.Standing one) {
        List<String> cloudOnes = one.differing(Edition.CLOUD);
        String both = String.join("; ", cloudOnes);
        String seedAlone = one.differing(Edition.SEED).stream()
                .filter(phrase -> !cloudOnes.contains(phrase))
                .collect(Collectors.joining("; "));
        return seedAlone.isEmpty() ? both : both + (both.isEmpty() ? "" : "; ") + "`seed` " + seedAlone;
    }

    private void clients() {
        line("");
        line("## Clients that are driven");
        line("Unmodified, by these tests, in every run that finds the client.");
        line("| Client | Version | Cases |");
        line("|---|---|---|");
        for (ClientCases client : ClientCases.all()) {
            cells(client.name(), client.version(), String.join("; ", client.cases()));
        }
    }

    private void cells(Object... cells) {
        line(Stream.of(cells).map(String::valueOf).collect(Collectors.joining(" | ", "| ", " |")));
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
