package dev.dormouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of rooms in docs/architecture.md lists exactly the packages of the published modules. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern ROOM = Pattern.compile("^\\| `(dev\\.dormouse[\\w.]*)` \\|", Pattern.MULTILINE);

    @Test
    void pageListsEveryPackage() throws IOException {
        Set<String> listed = new TreeSet<>();
        Matcher rows = ROOM.matcher(Files.readString(ROOT.resolve("docs/architecture.md")));
        while (rows.find()) {
            listed.add(rows.group(1));
        }
        Set<String> present = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.filter(module -> module.getFileName().toString().startsWith("dormouse-"))
                    .filter(module -> !module.endsWith("dormouse-benchmarks"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .forEach(sources -> addPackages(sources, present));
        }
        assertThat(listed).containsExactlyElementsOf(present);
    }

    private static void addPackages(Path sources, Set<String> packages) {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .forEach(packages::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
