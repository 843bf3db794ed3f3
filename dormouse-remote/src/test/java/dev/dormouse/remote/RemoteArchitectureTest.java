package dev.dormouse.remote;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The packages of this module and their allowed dependencies. */
class RemoteArchitectureTest {
    private static final String CLIENT = "dev.dormouse.remote";
    private static final String SERVER = "dev.dormouse.remote.serve";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(CLIENT);

    @Test
    void clientAndServerShareOnlyTheProtocol() {
        noClasses()
                .that()
                .resideInAPackage(CLIENT)
                .should()
                .dependOnClassesThat(resideInAPackage(SERVER))
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(SERVER)
                .should()
                .dependOnClassesThat(resideInAPackage(CLIENT))
                .check(CLASSES);
    }

    @Test
    void conversionDependsOnNeitherSide() {
        noClasses()
                .that()
                .resideInAPackage("dev.dormouse.remote.wire")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CLIENT, SERVER))
                .check(CLASSES);
    }

    /** Other packages below {@code dev.dormouse.internal} are closed to this module. */
    @Test
    void internalPackagesAreNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.dormouse.internal.."))
                .check(CLASSES);
    }
}
