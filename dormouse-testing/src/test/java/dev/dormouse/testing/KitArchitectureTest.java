package dev.dormouse.testing;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The public types of the test kit, and its dependencies. */
class KitArchitectureTest {
    private static final JavaClasses KIT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.dormouse.testing");

    @Test
    void onlyTheExtensionNeedsJunit() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(DormouseExtension.class.getName())
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.junit.."))
                .check(KIT);
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("dev.dormouse.testing.(*)..")
                .should()
                .beFreeOfCycles()
                .check(KIT);
    }

    @Test
    void simulationAndStoreDoNotKnowTheKit() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.dormouse.testing.sim", "dev.dormouse.testing.memory")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.dormouse.testing")
                .check(KIT);
    }

    @Test
    void usersSeeWhatTheGuideShows() {
        assertThat(KIT.stream()
                        .filter(type -> type.getPackageName().equals("dev.dormouse.testing"))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder("TestDormouse", "TestOptions", "DormouseExtension", "WorkflowHistories");
    }

    /** Other packages below {@code dev.dormouse.internal} are closed to this module. */
    @Test
    void fewInternalPackagesAreUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.dormouse.internal..")
                        .and(not(resideInAnyPackage(
                                "dev.dormouse.internal.client",
                                "dev.dormouse.internal.embedded",
                                "dev.dormouse.internal.history.json",
                                "dev.dormouse.internal.run",
                                "dev.dormouse.internal.thread"))))
                .check(KIT);
    }
}
