package dev.dormouse.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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

/** The module's packages and the dependencies that each of them may have. */
class ServerArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.dormouse.server");

    /** From the lowest to the highest; packages of one line do not depend on each other. */
    private static final List<List<String>> LAYERS = List.of(
            List.of("dev.dormouse.server.view"),
            List.of("dev.dormouse.server.request", "dev.dormouse.server.timeline"),
            List.of("dev.dormouse.server.api"),
            List.of("dev.dormouse.server.http"),
            List.of("dev.dormouse.server"));

    private static final int MAX_TYPES = 40;

    @Test
    void onlyTheHttpPackageDependsOnTheWebServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.dormouse.server.http")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..", "kotlin..")
                .check(SERVER);
    }

    @Test
    void layersPointDownOnly() {
        List<String> above =
                new ArrayList<>(LAYERS.stream().flatMap(List::stream).toList());
        assertThat(SERVER.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrderElementsOf(above);
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
                        .dependOnClassesThat()
                        .resideInAnyPackage(forbidden.toArray(new String[0]))
                        .check(SERVER);
            }
        }
        slices().matching("dev.dormouse.server.(*)").should().beFreeOfCycles().check(SERVER);
    }

    @Test
    void noPackageHasMoreThanFortyTypes() {
        Map<String, Long> types = SERVER.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(types)
                .allSatisfy((name, number) -> assertThat(number).as(name).isLessThanOrEqualTo(MAX_TYPES));
    }

    @Test
    void serverDependsOnNoInternalsOfTheEngineOrOfAStore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.dormouse.internal.replay..",
                        "dev.dormouse.internal.engine.time..",
                        "dev.dormouse.store.jdbc..",
                        "java.sql..")
                .check(SERVER);
    }

    /** Other packages below {@code dev.dormouse.internal} are closed to this module. */
    @Test
    void fewInternalPackagesAreUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.dormouse.internal..")
                        .and(not(resideInAnyPackage(
                                "dev.dormouse.internal.client",
                                "dev.dormouse.internal.history",
                                "dev.dormouse.internal.history.json"))))
                .check(SERVER);
    }
}
