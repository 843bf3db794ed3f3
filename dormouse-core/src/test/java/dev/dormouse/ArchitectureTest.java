package dev.dormouse;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules for dependencies between the layers of DESIGN.md, and for their access to the outside world. */
class ArchitectureTest {
    /** The classes of dormouse-store and dormouse-core; dormouse-simulation is on the class path of the tests only. */
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("dev/dormouse/testing/"))
            .importPackages("dev.dormouse");

    /** The layers from the lowest to the highest. Packages in the same line do not depend on each other. */
    private static final List<List<String>> LAYERS = List.of(
            List.of("dev.dormouse.error", "dev.dormouse.internal.thread", "dev.dormouse.store.event"),
            List.of(
                    "dev.dormouse.codec",
                    "dev.dormouse.schedule",
                    "dev.dormouse.store.base",
                    "dev.dormouse.store.jdbc"),
            List.of("dev.dormouse.internal.engine.time", "dev.dormouse.store.run"),
            List.of("dev.dormouse.internal.history", "dev.dormouse.store.page", "dev.dormouse.store.queue"),
            List.of("dev.dormouse.internal.history.json", "dev.dormouse.internal.run", "dev.dormouse.store.timer"),
            List.of("dev.dormouse.store"),
            List.of("dev.dormouse.internal.engine.observe"),
            List.of("dev.dormouse.internal.engine.write", "dev.dormouse.internal.replay"),
            List.of("dev.dormouse.internal.engine.context"),
            List.of("dev.dormouse.internal.engine.run"),
            List.of("dev.dormouse.internal.engine.command"),
            List.of("dev.dormouse.internal.engine.loop"),
            List.of("dev.dormouse.internal.engine"),
            List.of("dev.dormouse"));

    /** The largest number of types in a package. The package {@code dev.dormouse} is to be split with the public API. */
    private static final int MAX_TYPES = 40;

    @Test
    void everyPackageHasALayer() {
        List<String> known = LAYERS.stream().flatMap(List::stream).toList();
        assertThat(CORE.stream().map(JavaClass::getPackageName).distinct()).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void layersPointDownOnly() {
        List<String> above =
                new ArrayList<>(LAYERS.stream().flatMap(List::stream).toList());
        for (List<String> layer : LAYERS) {
            above.removeAll(layer);
            for (String room : layer) {
                List<String> forbidden = new ArrayList<>(above);
                forbidden.addAll(layer);
                forbidden.remove(room);
                noClasses()
                        .that()
                        .resideInAPackage(room)
                        .should()
                        .dependOnClassesThat(resideInAnyPackage(forbidden.toArray(new String[0])))
                        .check(CORE);
            }
        }
    }

    @Test
    void classesOfTheEngineFormNoCycles() {
        assertThat(ClassCycles.of(CORE.that(resideInAPackage("dev.dormouse.internal.engine.."))))
                .isEmpty();
    }

    @Test
    void packagesHaveFewTypes() {
        Map<String, Long> types = CORE.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> !type.getPackageName().equals("dev.dormouse"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(types)
                .allSatisfy((name, number) -> assertThat(number).as(name).isLessThanOrEqualTo(MAX_TYPES));
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("dev.dormouse.(**)").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void coreHasFewDependencies() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "dev.dormouse..",
                        "java..",
                        "javax.sql..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "tools.jackson..",
                        "com.fasterxml.jackson.annotation.."))
                .check(CORE);
    }

    @Test
    void jacksonIsKnownToTheCodecAndToHistoryFilesOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.dormouse.codec", "dev.dormouse.internal.history.json")
                .should()
                .dependOnClassesThat(resideInAnyPackage("tools.jackson..", "com.fasterxml.."))
                .check(CORE);
    }

    /** Returns the classes that get time, threads and randomness from outside. */
    private static JavaClasses simulated() {
        return CORE.that(resideInAnyPackage("dev.dormouse.internal..", "dev.dormouse.schedule"))
                .that(not(describe(
                        "part of JvmThreads or JvmGate", type -> type.getName().contains(".Jvm"))));
    }

    @Test
    void noClockIsReadDirectly() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .dependOnClassesThat(resideInAPackage("java.time").and(simpleName("Clock")))
                .check(simulated());
    }

    @Test
    void noThreadIsStartedAndNothingBlocksOtherThanAtAGate() {
        noClasses()
                .should()
                .callConstructor(Thread.class)
                .orShould()
                .callMethod(Thread.class, "start")
                .orShould()
                .callMethod(Object.class, "wait")
                .orShould()
                .callMethod(Object.class, "wait", long.class)
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.concurrent\\.("
                                + "Executor.*|.*ExecutorService|ThreadPool.*|Scheduled.*|Semaphore|CountDownLatch|"
                                + "CyclicBarrier|.*BlockingQueue|Phaser|Exchanger|ForkJoin.*|locks\\.Condition|locks\\.LockSupport)")
                .check(simulated());
    }

    @Test
    void randomnessComesFromOutside() {
        noClasses()
                .should()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .orShould()
                .callConstructor(java.util.Random.class)
                .orShould()
                .callConstructor(java.security.SecureRandom.class)
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .check(simulated());
    }

    @Test
    void replayHistoryAndAlarmDoNoInputOrOutput() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.dormouse.internal.replay",
                        "dev.dormouse.internal.history",
                        "dev.dormouse.internal.engine.time")
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..", "java.net..", "java.nio.file.."))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.(File.*|RandomAccessFile|Console|Object.*Stream)")
                .check(CORE);
    }

    @Test
    void javaSerializationIsNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.io\\.Object(In|Out)putStream")
                .check(CORE);
    }
}
