package io.pilothouse.server.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who may know whom: every arrow points inward. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArrowsTest {
    private final JavaClasses all = House.classes();

    private static final String OURS = "io.pilothouse..";
    private static final String CORE = "io.pilothouse.core..";
    private static final String DOMAIN = "io.pilothouse.core.domain..";
    private static final String PORT = "io.pilothouse.core.port..";
    private static final String OPERATION = "io.pilothouse.core.operation..";
    private static final String ENGINE = "io.pilothouse.core.engine..";
    private static final String HTTP = "io.pilothouse.http..";
    private static final String STORE = "io.pilothouse.store..";
    private static final String PLANE = "io.pilothouse.plane..";
    private static final String SERVER = "io.pilothouse.server..";
    private static final String TESTKIT = "io.pilothouse.testkit..";

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
    void domainKnowsOnlyItself() {
        roomMeetsNoneOf(DOMAIN, PORT, OPERATION, ENGINE);
    }

    @Test
    void portsKnowOnlyTheDomain() {
        roomMeetsNoneOf(PORT, OPERATION, ENGINE);
    }

    @Test
    void operationsNeverMeetTheEngine() {
        roomMeetsNoneOf(OPERATION, ENGINE);
    }

    @Test
    void engineNeverMeetsTheOperations() {
        roomMeetsNoneOf(ENGINE, OPERATION);
    }

    @Test
    void httpNeverMeetsTheEngine() {
        roomMeetsNoneOf(HTTP, ENGINE, STORE, PLANE, SERVER, TESTKIT);
    }

    @Test
    void storeKnowsOnlyPortsAndDomain() {
        roomMeetsNoneOf(STORE, OPERATION, ENGINE, HTTP, PLANE, SERVER, TESTKIT);
    }

    @Test
    void planesKnowOnlyPortsAndDomain() {
        roomMeetsNoneOf(PLANE, OPERATION, ENGINE, HTTP, STORE, SERVER, TESTKIT);
    }

    @Test
    void serverKnowsNoTestEquipment() {
        roomMeetsNoneOf(SERVER, TESTKIT);
    }

    @Test
    void noTwoPackagesNeedEachOther() {
        slices().matching("io.pilothouse.(**)").should().beFreeOfCycles().check(all);
    }

    @Test
    void helidonStaysBehindHttp() {
        libraryStaysIn("io.pilothouse.http", "io.helidon..");
    }

    @Test
    void databasesStayBehindTheStore() {
        libraryStaysIn(STORE, "java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..", "com.zaxxer..");
    }

    @Test
    void foreignFunctionsStayInTheLocalPlane() {
        libraryStaysIn("io.pilothouse.plane.local..", "java.lang.foreign..");
    }

    private void roomMeetsNoneOf(String room, String... others) {
        noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .because("arrows point inward")
                .check(all);
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
