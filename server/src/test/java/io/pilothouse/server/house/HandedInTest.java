package io.pilothouse.server.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.pilothouse.plane.local.process.ProcessTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The parts that a class may not fetch or make for itself, and the names that classes may have. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HandedInTest {
    private final JavaClasses all = House.classes();

    @Test
    void timeIsHandedIn() {
        onlyOwnersMay(
                "read the clock of the machine",
                use("java\\.time\\.(chrono\\.)?\\w+", "now")
                        .or(use("java\\.time\\.Clock", "system.*|tick.*"))
                        .or(use("java\\.time\\.InstantSource", "system"))
                        .or(use("java\\.lang\\.System", "currentTimeMillis"))
                        .or(use("java\\.util\\.Date", "<init>"))
                        .or(use("java\\.util\\.Calendar", "getInstance")));
    }

    @Test
    void threadsAreHandedIn() {
        onlyOwnersMay(
                "make threads",
                use("java\\.lang\\.Thread", "<init>|ofVirtual|ofPlatform|startVirtualThread")
                        .or(use("java\\.util\\.concurrent\\.Executors", ".*"))
                        .or(use("java\\.util\\.concurrent\\.(Scheduled)?ThreadPoolExecutor", "<init>"))
                        .or(use("java\\.util\\.concurrent\\.ForkJoinPool", "<init>|commonPool"))
                        .or(use("java\\.util\\.Timer", "<init>")));
    }

    @Test
    void settingsAreHandedIn() {
        onlyOwnersMay("read the environment", use("java\\.lang\\.System", "getenv"));
    }

    @Test
    void nothingReflects() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.reflect..")
                .orShould()
                .accessTargetWhere(use("java\\.lang\\.Class", "forName"))
                .because("what a tool cannot follow, a reader cannot either")
                .check(all);
    }

    @Test
    void durationsAreComputedInNanoseconds() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.pilothouse.testkit..", "io.pilothouse.bench..")
                .should()
                .accessTargetWhere(use("java\\.time\\.Duration", "dividedBy|multipliedBy"))
                .because("Java does both with decimal numbers, and the engine would in every pass")
                .check(all);
    }

    @Test
    void zombieIsNeverTakenForAlive() {
        noClasses()
                .that(DescribedPredicate.not(JavaClass.Predicates.equivalentTo(ProcessTable.class)))
                .should()
                .accessTargetWhere(use("java\\.lang\\.ProcessHandle", "isAlive|onExit"))
                .because("the JDK counts a zombie as alive, and ProcessTable does not")
                .check(all);
    }

    @Test
    void nothingStaticChanges() {
        fields().that()
                .areStatic()
                .should()
                .beFinal()
                .because("state belongs to objects that Wiring made")
                .check(all);
    }

    @Test
    void namesSayWhatAThingIsFor() {
        noClasses()
                .should()
                .haveNameMatching(".*(Impl|Manager|Helper|Util|Utils|Base|DTO|Dto)(\\$.*)?")
                .because("such an ending says nothing about the class")
                .check(all);
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = new ArrayList<>();
        for (String room : House.ROOMS) {
            if (!all.getPackage(room).isAnnotatedWith(NullMarked.class)) {
                unmarked.add(room);
            }
        }
        for (JavaClass type : all) {
            if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                unmarked.add(type.getPackageName());
            }
        }
        assertThat(unmarked).as("packages without a @NullMarked package-info").isEmpty();
    }

    private void onlyOwnersMay(String act, DescribedPredicate<JavaAccess<?>> use) {
        noClasses()
                .that(DescribedPredicate.not(DescribedPredicate.describe("own a process", HandedInTest::ownsProcess)))
                .should()
                .accessTargetWhere(use)
                .as("only server, testkit and a class with a main method may " + act)
                .because("a test must be able to hand in its own")
                .check(all);
    }

    private static boolean ownsProcess(JavaClass type) {
        return type.getPackageName().startsWith("io.pilothouse.server")
                || type.getPackageName().startsWith("io.pilothouse.testkit")
                || outermost(type).tryGetMethod("main", String[].class).isPresent();
    }

    private static JavaClass outermost(JavaClass type) {
        Optional<JavaClass> enclosing = type.getEnclosingClass();
        return enclosing.isPresent() ? outermost(enclosing.get()) : type;
    }

    private static DescribedPredicate<JavaAccess<?>> use(String owner, String member) {
        Pattern owners = Pattern.compile(owner);
        Pattern members = Pattern.compile(member);
        return DescribedPredicate.describe(
                "use " + owner + " " + member,
                access -> owners.matcher(access.getTargetOwner().getName()).matches()
                        && members.matcher(access.getTarget().getName()).matches());
    }
}
