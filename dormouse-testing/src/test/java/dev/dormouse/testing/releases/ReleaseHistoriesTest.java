package dev.dormouse.testing.releases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.dormouse.testing.TestDormouse;
import dev.dormouse.testing.WorkflowHistories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories that earlier releases wrote are still what the code of today does. A release adds its own with {@code
 * -Dhistories.release=0.2}; see CONTRIBUTING.md.
 */
class ReleaseHistoriesTest {
    private static final Path FOLDER = Path.of("src/test/resources/histories");
    private static final String RELEASE = System.getProperty("histories.release", "");

    @TestFactory
    Stream<DynamicTest> everyHistoryOfEveryReleaseIsReplayed() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            List<Path> histories = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            assertThat(histories).hasSizeGreaterThanOrEqualTo(Plays.ALL.size());
            return histories.stream()
                    .map(file -> dynamicTest(
                            FOLDER.relativize(file).toString(),
                            () -> WorkflowHistories.replay(file, Functions::register)));
        }
    }

    @TestFactory
    Stream<DynamicTest> historiesOfTodayAreReplayedToo(@TempDir Path temporary) {
        Path folder = RELEASE.isEmpty() ? temporary : FOLDER.resolve(RELEASE);
        return Plays.ALL.keySet().stream()
                .map(name -> dynamicTest(name, () -> exportAndReplay(name, folder.resolve(name + ".json"))));
    }

    private static void exportAndReplay(String name, Path file) throws IOException {
        try (TestDormouse test = TestDormouse.open(Functions::register)) {
            String json = WorkflowHistories.toJson(Plays.ALL.get(name).apply(test));
            Files.createDirectories(file.getParent());
            Files.writeString(file, json);
        }
        WorkflowHistories.replay(file, Functions::register);
    }

    /** Nothing about them is left to chance, so that a file changes only when something has changed. */
    @Test
    void historiesAreTheSameEveryTime() {
        for (String name : List.of("steps", "sleeps", "children", "coroutines")) {
            assertThat(export(name)).isEqualTo(export(name));
        }
    }

    private static String export(String name) {
        try (TestDormouse test = TestDormouse.open(Functions::register)) {
            return WorkflowHistories.toJson(Plays.ALL.get(name).apply(test));
        }
    }
}
