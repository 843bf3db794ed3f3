package dev.dormouse.examples.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that all Java code in the guides is tested: every piece of it, up to a blank line, is in some source of this
 * module, except for white space, comments, {@code @Nullable} and the names of the examples' packages.
 */
class GuideTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");
    private static final Pattern PACKAGE =
            Pattern.compile("(package|import) (invoices|dev\\.dormouse\\.examples)[\\w.]*;");
    private static final Pattern COMMENT = Pattern.compile("//[^\\n]*|(?s:/\\*.*?\\*/)");

    private final String sources = sources();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/tutorial.md",
                "docs/waiting.md",
                "docs/testing.md",
                "docs/sagas.md",
                "docs/activities.md",
                "docs/timers.md",
                "docs/dags.md",
                "docs/coming-from-temporal.md",
                "docs/coming-from-quartz.md"
            })
    void everyPieceOfTheGuideIsRun(String guide) throws IOException {
        List<String> pieces = pieces(Files.readString(ROOT.resolve(guide)));
        assertThat(pieces).hasSizeGreaterThan(5);
        assertThat(pieces).allSatisfy(this::isInTheSources);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"docs/deploying-changed-code.md", "docs/determinism.md", "docs/production.md", "docs/settings.md"
            })
    void everyPieceOfTheShorterGuideIsRun(String guide) throws IOException {
        List<String> pieces = pieces(Files.readString(ROOT.resolve(guide)));
        assertThat(pieces).isNotEmpty();
        assertThat(pieces).allSatisfy(this::isInTheSources);
    }

    @ParameterizedTest
    @ValueSource(strings = {"class ApprovalWorkflow", "DormouseExtension"})
    void waitingAndTestingOfTheReadmeAreRun(String text) throws IOException {
        assertThat(blocks(Files.readString(ROOT.resolve("README.md"))))
                .filteredOn(block -> block.contains(text))
                .hasSize(1)
                .allSatisfy(this::isInTheSources);
    }

    private void isInTheSources(String piece) {
        assertThat(sources.contains(bare(piece)))
                .as("Expected this to stand in a source of the examples, but it does not:\n%s", piece)
                .isTrue();
    }

    private static List<String> pieces(String markdown) {
        return blocks(markdown).stream()
                .flatMap(block -> Stream.of(block.split("\\n\\s*\\n")))
                .toList();
    }

    private static List<String> blocks(String markdown) {
        return JAVA.matcher(markdown).results().map(block -> block.group(1)).toList();
    }

    private static String sources() {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(GuideTest::read)
                    .map(GuideTest::bare)
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String bare(String java) {
        String code = COMMENT.matcher(java).replaceAll("");
        return PACKAGE.matcher(code).replaceAll("").replace("@Nullable", "").replaceAll("\\s", "");
    }
}
