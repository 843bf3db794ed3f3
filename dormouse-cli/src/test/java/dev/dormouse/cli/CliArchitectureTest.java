package dev.dormouse.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rule for all published modules. The command line is the only one that has all of them on its class path. */
class CliArchitectureTest {
    private static final Pattern PUBLISHED = Pattern.compile("<artifactId>dormouse-(\\w+)</artifactId>");
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.dormouse");

    @Test
    void everyPublishedModuleIsOnTheClassPath() throws IOException {
        String bom = Files.readString(Path.of("../dormouse-bom/pom.xml"));
        assertThat(ALL.stream().map(JavaClass::getPackageName))
                .contains("dev.dormouse", "dev.dormouse.cli")
                .containsAll(PUBLISHED
                        .matcher(bom)
                        .results()
                        .map(module -> module.group(1))
                        .filter(module -> !module.matches("bom|core|simulation"))
                        .map(module -> "dev.dormouse." + module)
                        .toList());
    }

    @Test
    void productionCodeDoesNotDependOnTheTestKit() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.dormouse.testing..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.dormouse.testing..")
                .check(ALL);
    }
}
