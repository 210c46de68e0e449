package io.pilothouse.server.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.WayIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may know whom: every arrow points inward. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArrowsTest {
    private final JavaClasses all = House.classes();

    private static final String OURS = "io.pilothouse..";
    private static final String CORE = "io.pilothouse.core..";
    private static final String STORE = "io.pilothouse.store..";

    /** The rooms that each room of core may know; a new arrow is added here first. */
    private static final Map<String, List<String>> CORE_ARROWS = Map.ofEntries(
            entry("base", List.of()),
            entry("secret", List.of("base")),
            entry("right", List.of("base")),
            entry("port", List.of("base")),
            entry("engine", List.of("base", "port")),
            entry("activity", thing()),
            entry("item", thing("activity")),
            entry("role", thing("activity", "item")),
            entry("key", thing("activity", "item", "role")),
            entry("organization", thing("activity", "key")),
            entry("member", thing("activity", "item", "key", "organization", "role")),
            entry("scaling", List.of("base", "organization")),
            entry("service", thing("activity", "engine", "organization", "scaling")),
            entry("session", List.of("base")),
            entry("host", thing("backup", "engine", "pipe", "service")),
            entry("byoc", thing("item", "organization", "service")),
            entry("backup", thing("activity", "engine", "service")),
            entry("pipe", thing("activity", "engine", "service")),
            entry("privateendpoint", thing("activity", "organization", "service")),
            entry("part", thing("activity", "engine", "organization", "scaling", "service")),
            entry("upgrade", thing("activity", "part", "service")),
            entry("quota", thing("part", "scaling", "service")),
            entry("query", thing("key", "part", "service")),
            entry("metric", thing("service", "backup", "pipe")),
            entry("figure", thing("service", "pipe")),
            entry("setting", thing("activity", "scaling", "service")),
            entry("timeline", thing("activity", "engine", "service")),
            entry("usage", thing("scaling", "service")),
            entry("webhook", thing("activity")),
            entry("alert", thing("activity", "engine", "organization", "metric", "webhook")),
            entry(
                    "snapshot",
                    thing(
                            "activity",
                            "alert",
                            "backup",
                            "engine",
                            "item",
                            "key",
                            "member",
                            "organization",
                            "part",
                            "pipe",
                            "privateendpoint",
                            "query",
                            "service",
                            "webhook")),
            entry("delivery", thing("activity", "engine", "metric", "webhook", "alert")),
            entry(
                    "emulator",
                    thing("backup", "engine", "item", "key", "organization", "pipe", "service", "usage", "webhook")),
            entry("injection", thing("service")));

    private static List<String> thing(String... others) {
        return Stream.concat(Stream.of("base", "secret", "right", "port"), Stream.of(others))
                .toList();
    }

    @Test
    void coreKnowsNothingOutsideTheJdk() {
        classes()
                .that()
                .resideInAPackage(CORE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.crypto..", "org.jspecify..", CORE)
                .because("the rules of the product outlive every library")
                .check(all);
    }

    @Test
    void coreKnowsNoDatabaseAndNoNetwork() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "java.net.http..")
                .because("core reaches the outside only through its ports")
                .check(all);
    }

    @Test
    void coreKnowsNoFileAndNoSocket() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are files, sockets or processes",
                        type -> FILES_SOCKETS_AND_PROCESSES
                                .matcher(type.getName())
                                .matches()))
                .because("what runs inside a write must be undone with it")
                .check(all);
    }

    static Stream<String> roomsOfCore() {
        return House.classes().stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith("io.pilothouse.core."))
                .map(name -> name.replaceFirst("^io\\.pilothouse\\.core\\.([a-z]+).*", "$1"))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("roomsOfCore")
    void roomsOfCoreKnowOnlyTheRoomsWrittenDownForThem(String room) {
        assertThat(CORE_ARROWS).containsKey(room);
        List<String> known = new ArrayList<>(List.of("java..", "javax.crypto..", "org.jspecify..", core(room)));
        CORE_ARROWS.getOrDefault(room, List.of()).forEach(other -> known.add(core(other)));
        classes()
                .that()
                .resideInAPackage(core(room))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(known.toArray(String[]::new))
                .because("arrows among the rooms of things are one written list")
                .check(all);
    }

    private static String core(String room) {
        return "io.pilothouse.core." + room + "..";
    }

    @Test
    void plansKnowNoPort() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .and()
                .haveSimpleNameEndingWith("Plan")
                .should()
                .dependOnClassesThat(PORTS_TO_OUTSIDE.or(simpleNames("Store", "Tables", "Clock", "Wake")))
                .because("a plan only decides")
                .check(all);
    }

    @Test
    void operationsKnowNoPortToTheOutside() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .and()
                .haveSimpleNameEndingWith("Operations")
                .should()
                .dependOnClassesThat(PORTS_TO_OUTSIDE)
                .because("a request writes what is wanted, and only the engine touches the world")
                .check(all);
    }

    /** A method that is handed over reaches as far as a port that is handed over. */
    @Test
    void wiringHandsNoOperationAWayToThePlane() {
        noClasses()
                .that()
                .resideInAPackage("io.pilothouse.server..")
                .should()
                .accessTargetWhere(DescribedPredicate.describe(
                        "is a port to the outside, but for what it answers from memory",
                        access -> PORTS_TO_OUTSIDE.test(access.getTargetOwner())
                                && !ANSWERED_FROM_MEMORY.contains(access.getName())))
                .because("only the engine touches the world")
                .check(all);
    }

    @Test
    void addressesAreComputedFromTheRowAlone() {
        classes()
                .that()
                .implement(Addresses.class)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java.lang..", "java.util..", "io.pilothouse.core.service..")
                        .and(not(PORTS_TO_OUTSIDE))
                        .or(simpleNames("GatewayProtocol", "GatewayAddresses", "SharedPorts", "SimulatedAddresses")))
                .because("an address is data")
                .check(all);
    }

    /** That it calls it outside of every write is what the tests of the API hold it to. */
    @Test
    void onlyTheVerbsOfServicesKnowTheWayInToThem() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .and()
                .haveNameNotMatching(".*\\.(ServiceOperations|WayIn)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(WayIn.class)
                .check(all);
    }

    private static final Pattern FILES_SOCKETS_AND_PROCESSES = Pattern.compile(
            "java\\.nio\\.(file|channels)\\..*|java\\.io\\.(File|RandomAccess).*|java\\.net\\.\\w*Socket\\w*|java\\.lang\\.Process\\w*");

    private static final Set<String> ANSWERED_FROM_MEMORY = Set.of("name", "refusal", "database", "offers");

    private static final DescribedPredicate<JavaClass> PORTS_TO_OUTSIDE = simpleNames(
            "DataPlane", "Backups", "PipeRunner", "ReversePrivateEndpoints", "DatabaseFigures", "Databases");

    private static DescribedPredicate<JavaClass> simpleNames(String... names) {
        Set<String> wanted = Set.of(names);
        return DescribedPredicate.describe("are " + wanted, type -> wanted.contains(type.getSimpleName()));
    }

    @ParameterizedTest
    @CsvSource({
        "io.pilothouse.outgoing.., io.pilothouse.core..",
        "io.pilothouse.incoming.., io.pilothouse.core.service..",
        "io.pilothouse.incoming.., io.pilothouse.gateway..",
        "io.pilothouse.incoming.., io.pilothouse.http..",
        "io.pilothouse.http.., io.pilothouse.store..",
        "io.pilothouse.http.., io.pilothouse.core.engine..",
        "io.pilothouse.console.., io.pilothouse.http.api..",
        "io.pilothouse.console.., io.pilothouse.http.helidon..",
        "io.pilothouse.console.., io.pilothouse.store..",
        "io.pilothouse.console.., io.pilothouse.core.engine..",
        "io.pilothouse.http.., io.pilothouse.console..",
        "io.pilothouse.store.., io.pilothouse.core.engine..",
        "io.pilothouse.store.., io.pilothouse.http..",
        "io.pilothouse.gateway.., io.pilothouse.store..",
        "io.pilothouse.gateway.., io.pilothouse.http..",
        "io.pilothouse.gateway.., io.pilothouse.core.engine..",
        "io.pilothouse.gateway.., io.pilothouse.plane..",
        "io.pilothouse.gateway, io.pilothouse.core.service..",
        "io.pilothouse.gateway, io.pilothouse.gateway.door..",
        "io.pilothouse.gateway.name.., io.pilothouse.gateway",
        "io.pilothouse.gateway.name.., io.pilothouse.gateway.door..",
        "io.pilothouse.gateway.name.., io.pilothouse.core..",
        "io.pilothouse.plane.., io.pilothouse.store..",
        "io.pilothouse.plane.., io.pilothouse.http..",
        "io.pilothouse.plane.., io.pilothouse.core.engine..",
        "io.pilothouse.plane.simulated.., io.pilothouse.plane.local..",
        "io.pilothouse.plane.., io.pilothouse.pipes..",
        "io.pilothouse.pipes.., io.pilothouse.plane..",
        "io.pilothouse.pipes.., io.pilothouse.gateway..",
        "io.pilothouse.pipes.., io.pilothouse.store..",
        "io.pilothouse.pipes.., io.pilothouse.http..",
        "io.pilothouse.pipes.., io.pilothouse.core.engine..",
        "io.pilothouse.pipes.wire.., io.pilothouse.core.pipe..",
        "io.pilothouse.http.wire.., io.pilothouse.http.api..",
        "io.pilothouse.http.wire.., io.pilothouse.http.helidon..",
        "io.pilothouse.http.api.., io.pilothouse.http.helidon.."
    })
    void adaptersDoNotMeet(String room, String other) {
        noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(other)
                .because("arrows point inward")
                .check(all);
    }

    @Test
    void onlyTheWiringMeetsTheServerAndTestEquipmentStaysInTests() {
        noClasses()
                .that()
                .resideInAPackage(OURS)
                .and()
                .resideOutsideOfPackages("io.pilothouse.server..", "io.pilothouse.bench..", "io.pilothouse.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.pilothouse.server..", "io.pilothouse.testkit..")
                .because("arrows point inward")
                .check(all);
    }

    @Test
    void workersAreAProgramOfTheirOwn() {
        noClasses()
                .that()
                .resideInAPackage(OURS)
                .and()
                .resideOutsideOfPackage("io.pilothouse.pipes.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.pilothouse.pipes.worker..",
                        "org.apache.kafka..",
                        "org.apache.avro..",
                        "com.google.protobuf..")
                .because("what reads a source stays out of the control plane")
                .check(all);
    }

    @Test
    void noTwoPackagesNeedEachOther() {
        slices().matching("io.pilothouse.(**)").should().beFreeOfCycles().check(all);
    }

    @Test
    void helidonStaysInItsOwnRoom() {
        libraryStaysIn("io.pilothouse.http.helidon", "io.helidon..");
    }

    @Test
    void outgoingHttpHasOneClient() {
        noClasses()
                .that()
                .resideInAPackage(OURS)
                .and()
                .resideOutsideOfPackages("io.pilothouse.outgoing", "io.pilothouse.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hc..", "java.net.http..")
                .because("one client holds what goes out to one set of limits; tests are clients themselves")
                .check(all);
    }

    @Test
    void databasesStayBehindTheStore() {
        libraryStaysIn(STORE, "java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..", "com.zaxxer..");
    }

    @Test
    void rowsKnowNoSql() {
        noClasses()
                .that()
                .resideInAPackage("io.pilothouse.store.rows..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "io.pilothouse.store")
                .because("a document is the same in every database")
                .check(all);
    }

    @Test
    void foreignFunctionsStayWithTheBundledEngine() {
        libraryStaysIn("io.pilothouse.plane.local.bundled..", "java.lang.foreign..");
    }

    private void libraryStaysIn(String room, String... library) {
        noClasses()
                .that()
                .resideInAPackage(OURS)
                .and()
                .resideOutsideOfPackage(room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .because("a part that one room hides can be exchanged there")
                .check(all);
    }
}
