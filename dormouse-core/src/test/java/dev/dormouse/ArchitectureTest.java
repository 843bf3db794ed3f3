package dev.dormouse;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules for dependencies between the layers, for the signatures of the API, and for their access to the outside world. */
class ArchitectureTest {
    /** The classes of dormouse-store and dormouse-core; dormouse-simulation is on the class path of the tests only. */
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("dev/dormouse/testing/"))
            .importPackages("dev.dormouse");

    /** The public API, and the thin layers that implement it. The two know each other, so they count as one layer. */
    private static final List<String> API =
            List.of("dev.dormouse", "dev.dormouse.plugin", "dev.dormouse.schedule", "dev.dormouse.timer");

    /** The implementation of the API, from the lowest package to the highest. */
    private static final List<String> API_CODE = List.of(
            "dev.dormouse.internal.value",
            "dev.dormouse.internal.event",
            "dev.dormouse.internal.workflow",
            "dev.dormouse.internal.client",
            "dev.dormouse.internal.timer",
            "dev.dormouse.internal.schedule",
            "dev.dormouse.internal.embedded");

    /** The layers from the lowest to the highest. Packages in the same line do not depend on each other. */
    private static final List<List<String>> LAYERS = List.of(
            List.of("dev.dormouse.error", "dev.dormouse.internal.thread", "dev.dormouse.store.event"),
            List.of("dev.dormouse.codec", "dev.dormouse.inspect", "dev.dormouse.store.jdbc"),
            List.of("dev.dormouse.store.base"),
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
            List.of("dev.dormouse.internal.engine"));

    /** The packages that users import. Their signatures mention no other package of Dormouse. */
    private static final List<String> EXPORTED = Stream.concat(
                    API.stream(), Stream.of("dev.dormouse.codec", "dev.dormouse.error", "dev.dormouse.inspect"))
            .toList();

    /** The layers, and above them the API with its implementation. */
    private static List<String> allPackages() {
        return Stream.of(LAYERS.stream().flatMap(List::stream), API_CODE.stream(), API.stream())
                .flatMap(packages -> packages)
                .toList();
    }

    /** The largest number of types in a package, except {@code dev.dormouse}, which has what a program starts with. */
    private static final int MAX_TYPES = 40;

    /** The largest number of types in {@code dev.dormouse}. */
    private static final int MAX_ROOT_TYPES = 50;

    @Test
    void everyPackageHasALayer() {
        assertThat(CORE.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrderElementsOf(allPackages());
    }

    @Test
    void layersPointDownOnly() {
        List<String> above = new ArrayList<>(allPackages());
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
    void implementationOfTheApiPointsDownOnly() {
        for (int i = 0; i < API_CODE.size() - 1; i++) {
            noClasses()
                    .that()
                    .resideInAPackage(API_CODE.get(i))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(
                            API_CODE.subList(i + 1, API_CODE.size()).toArray(new String[0])))
                    .check(CORE);
        }
    }

    /** Users compile against signatures only, so a type that one of them mentions is part of the API forever. */
    @Test
    void signaturesOfTheApiMentionItsOwnPackagesOnly() {
        assertThat(ApiSignatures.foreignTypes(
                        CORE.that(resideInAnyPackage(EXPORTED.toArray(new String[0]))),
                        type -> !type.startsWith("dev.dormouse.") || EXPORTED.contains(packageOf(type))))
                .containsExactly("dev.dormouse.plugin.PluginHost.definitions: dev.dormouse.store.DefinitionStore");
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
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
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(types)
                .allSatisfy((name, number) -> assertThat(number)
                        .as(name)
                        .isLessThanOrEqualTo(name.equals("dev.dormouse") ? MAX_ROOT_TYPES : MAX_TYPES));
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

    /** The caller's side of the API may draw ids: it runs on the caller's threads, not in the simulated engine. */
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
                .check(simulated()
                        .that(not(resideInAnyPackage(
                                "dev.dormouse.internal.client",
                                "dev.dormouse.internal.embedded",
                                "dev.dormouse.internal.schedule",
                                "dev.dormouse.internal.timer"))));
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
