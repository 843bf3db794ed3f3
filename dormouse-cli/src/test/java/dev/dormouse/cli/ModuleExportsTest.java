package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The exports of all modules. The command line is the only module that has all of them on its class path. */
class ModuleExportsTest {
    /** Modules without a module-info; the pom says why. */
    private static final List<String> AUTOMATIC = List.of("dev.dormouse.server", "dev.dormouse.cli");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.dormouse");

    private static final Map<String, ModuleDescriptor> MODULES = ModuleFinder.of(
                    Arrays.stream(System.getProperty("java.class.path")
                                    .split(Pattern.quote(System.getProperty("path.separator"))))
                            .filter(entry -> entry.contains("dormouse"))
                            .map(Path::of)
                            .toArray(Path[]::new))
            .findAll()
            .stream()
            .map(ModuleReference::descriptor)
            .filter(module -> !module.isAutomatic())
            .collect(Collectors.toMap(ModuleDescriptor::name, Function.identity()));

    @Test
    void everyLibraryIsAModule() {
        assertThat(MODULES)
                .containsOnlyKeys(
                        "dev.dormouse",
                        "dev.dormouse.dag",
                        "dev.dormouse.lint",
                        "dev.dormouse.observability",
                        "dev.dormouse.postgres",
                        "dev.dormouse.remote",
                        "dev.dormouse.simulation",
                        "dev.dormouse.sqlite",
                        "dev.dormouse.store",
                        "dev.dormouse.testing");
    }

    @Test
    void internalPackagesAreExportedToSingleModulesOnly() {
        assertThat(exports().filter(export -> !export.isQualified()).map(ModuleDescriptor.Exports::source))
                .isNotEmpty()
                .noneMatch(name -> name.startsWith("dev.dormouse.internal"));
    }

    @Test
    void qualifiedExportsAreExactlyTheUsedOnes() {
        List<String> users = exports()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .toList();
        TreeSet<String> used = new TreeSet<>();
        for (JavaClass type : ALL) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                String from = moduleOf(type.getPackageName());
                if (target.getPackageName().startsWith("dev.dormouse")
                        && !users.contains(target.getPackageName())
                        && !from.equals(moduleOf(target.getPackageName()))
                        && !AUTOMATIC.contains(moduleOf(target.getPackageName()))) {
                    used.add(target.getPackageName() + " to " + from);
                }
            }
        }
        assertThat(exports()
                        .flatMap(export -> export.targets().stream().map(target -> export.source() + " to " + target))
                        .filter(export -> export.contains(" to dev.dormouse"))
                        .sorted())
                .containsExactlyElementsOf(used);
    }

    private static Stream<ModuleDescriptor.Exports> exports() {
        return MODULES.values().stream().flatMap(module -> module.exports().stream());
    }

    private static String moduleOf(String name) {
        return MODULES.values().stream()
                .filter(module -> module.packages().contains(name))
                .map(ModuleDescriptor::name)
                .findAny()
                .or(() -> AUTOMATIC.stream().filter(name::startsWith).findAny())
                .orElseThrow(
                        () -> new IllegalStateException("Expected a module with " + name + ", but there is none."));
    }
}
