package dev.dormouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition;
import dev.dormouse.store.run.RunTransition;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables in docs/architecture.md: the packages of the published modules, and the transitions of a run and of a step. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/architecture.md");
    private static final Pattern TRANSITIONS =
            Pattern.compile("^\\| ([a-z ]+): [^|]*\\| ([^|]*) \\| ([^|]*) \\|$", Pattern.MULTILINE);
    private static final Pattern STATES = Pattern.compile("^\\| ([`A-Z_, ]+) \\| [^|]* \\|$", Pattern.MULTILINE);
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
                    .filter(module -> !module.endsWith("dormouse-benchmarks") && !module.endsWith("dormouse-demo"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .forEach(sources -> addPackages(sources, present));
        }
        assertThat(listed).containsExactlyElementsOf(present);
    }

    @Test
    void pageListsEveryTransitionOfARun() throws IOException {
        assertThat(transitions("Transitions of a run"))
                .containsExactlyInAnyOrderElementsOf(RunTransition.TABLE.stream()
                        .map(transition -> line(transition.cause(), transition.from(), transition.to()))
                        .toList());
    }

    @Test
    void pageListsEveryTransitionOfAStep() throws IOException {
        assertThat(transitions("Transitions of a step"))
                .containsExactlyInAnyOrderElementsOf(StepTransition.TABLE.stream()
                        .map(transition -> line(transition.cause(), transition.from(), transition.to()))
                        .toList());
    }

    @Test
    void pageListsEveryStateOfAStep() throws IOException {
        Matcher rows = STATES.matcher(section("Transitions of a step"));
        List<String> listed = new ArrayList<>();
        while (rows.find()) {
            listed.addAll(List.of(rows.group(1).replace("`", "").split(", ", -1)));
        }
        assertThat(listed)
                .containsExactlyElementsOf(
                        Stream.of(StepState.values()).map(StepState::name).toList());
    }

    private static String line(Enum<?> cause, Enum<?> from, Enum<?> to) {
        return cause.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + from + " to " + to;
    }

    /** Returns the rows of a table of transitions, one line for each. */
    private static List<String> transitions(String title) throws IOException {
        List<String> listed = new ArrayList<>();
        Matcher rows = TRANSITIONS.matcher(section(title));
        while (rows.find()) {
            for (String from : rows.group(2).replace("`", "").split(", ", -1)) {
                for (String to : rows.group(3).replace("`", "").split(", ", -1)) {
                    listed.add(rows.group(1) + ": " + from + " to " + to);
                }
            }
        }
        return listed;
    }

    private static String section(String title) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("\n## " + title + "\n");
        assertThat(start).as(title).isNotNegative();
        return page.substring(start, page.indexOf("\n## ", start + 1));
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
