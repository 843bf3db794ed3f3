package dev.dormouse.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the parts of the module may know of each other, and of the world. */
class ServerArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.dormouse.server");

    @Test
    void onlyTheHttpPartKnowsTheWebServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.dormouse.server.http")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..", "kotlin..")
                .check(SERVER);
    }

    @Test
    void partsPointDownOnly() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.dormouse.server.view", "dev.dormouse.server.timeline")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.dormouse.server", "dev.dormouse.server.api", "dev.dormouse.server.http")
                .check(SERVER);
        noClasses()
                .that()
                .resideInAPackage("dev.dormouse.server.api")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.dormouse.server", "dev.dormouse.server.http")
                .check(SERVER);
        noClasses()
                .that()
                .resideInAPackage("dev.dormouse.server.http")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.dormouse.server")
                .check(SERVER);
        slices().matching("dev.dormouse.server.(*)").should().beFreeOfCycles().check(SERVER);
    }

    @Test
    void nobodyReachesIntoTheEngineOrAStore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.dormouse.replay..", "dev.dormouse.alarm..", "dev.dormouse.store.jdbc..", "java.sql..")
                .check(SERVER);
    }
}
