package dev.dormouse.postgres;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packages of this module and their allowed dependencies. */
@Tag("once")
class PostgresArchitectureTest {
    private static final String MODULE = "dev.dormouse.postgres";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(MODULE);

    /** From the lowest layer to the highest. Packages of one layer are independent of each other. */
    private static final List<List<String>> LAYERS = List.of(
            List.of("sql"),
            List.of("notify"),
            List.of("connect"),
            List.of("run"),
            List.of("claim", "event"),
            List.of("page"),
            List.of("", "sqltimers"));

    private static String[] packages(List<String> names) {
        return names.stream()
                .map(name -> name.isEmpty() ? MODULE : MODULE + "." + name)
                .toArray(String[]::new);
    }

    @Test
    void everyPackageHasALayer() {
        List<String> all = LAYERS.stream().flatMap(List::stream).toList();
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct()).containsExactlyInAnyOrder(packages(all));
    }

    @Test
    void packagesDependOnLowerLayersOnly() {
        List<String> others =
                new ArrayList<>(LAYERS.stream().flatMap(List::stream).toList());
        for (List<String> layer : LAYERS) {
            others.removeAll(layer);
            for (String room : layer) {
                List<String> forbidden = new ArrayList<>(others);
                forbidden.addAll(layer);
                forbidden.remove(room);
                noClasses()
                        .that()
                        .resideInAnyPackage(packages(List.of(room)))
                        .should()
                        .dependOnClassesThat(resideInAnyPackage(packages(forbidden)))
                        .allowEmptyShould(false)
                        .check(CLASSES);
            }
        }
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching(MODULE + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    /** Other packages below {@code dev.dormouse.internal} are closed to this module. */
    @Test
    void fewInternalPackagesAreUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.dormouse.internal..")
                        .and(not(resideInAnyPackage(
                                "dev.dormouse.internal.thread",
                                "dev.dormouse.internal.run",
                                "dev.dormouse.internal.engine.time",
                                "dev.dormouse.internal.engine.observe"))))
                .check(CLASSES);
    }
}
