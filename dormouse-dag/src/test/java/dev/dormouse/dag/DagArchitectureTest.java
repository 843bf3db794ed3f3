package dev.dormouse.dag;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The dependencies that the module's packages may have on each other and on other modules. */
class DagArchitectureTest {
    private static final JavaClasses DAG = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.dormouse.dag");

    @Test
    void packagesDependDownwardsOnly() {
        noClasses()
                .that()
                .resideInAPackage("dev.dormouse.dag.data")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.dormouse.dag.model", "dev.dormouse.dag.run", "dev.dormouse.dag")
                .check(DAG);
        noClasses()
                .that()
                .resideInAPackage("dev.dormouse.dag.model")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.dormouse.dag.run", "dev.dormouse.dag")
                .check(DAG);
        noClasses()
                .that()
                .resideInAPackage("dev.dormouse.dag.run")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.dormouse.dag")
                .check(DAG);
        slices().matching("dev.dormouse.dag.(*)").should().beFreeOfCycles().check(DAG);
    }

    @Test
    void runsReadNoClockAndStartNoThread() {
        noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(DAG);
    }
}
