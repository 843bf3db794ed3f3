package dev.dormouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.run.RunTransition;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables in docs/architecture.md: the packages of the published modules, and the transitions of a run. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/architecture.md");
    private static final Pattern TRANSITIONS = Pattern.compile(
            "^\\| (claim|release|commit|command)\\b[^|]*\\| `(\\w+)` \\| ([^|]*) \\|$", Pattern.MULTILINE);
    private static final Pattern ROOM = Pattern.compile("^\\| `(dev\\.dormouse[\\w.]*)` \\|", Pattern.MULTILINE);

    @Test
    void pageListsEveryPackage() throws IOException {
        Set<String> listed = new TreeSet<>();
        Matcher rows = ROOM.matcher(Files.readString(PAGE));
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

    @Test
    void pageListsEveryTransition() throws IOException {
        Set<String> listed = new TreeSet<>();
        Matcher rows = TRANSITIONS.matcher(Files.readString(PAGE));
        while (rows.find()) {
            for (String to : rows.group(3).split(", ", -1)) {
                listed.add(rows.group(1) + " " + rows.group(2) + " " + to.replace("`", ""));
            }
        }
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(RunTransition.TABLE.stream()
                        .map(transition -> transition.cause().name().toLowerCase(Locale.ROOT) + " " + transition.from()
                                + " " + transition.to())
                        .toList());
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
