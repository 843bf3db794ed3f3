package dev.dormouse.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.examples.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DemoTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void storyGoesAsToldAndLeavesNothingBehind() throws Exception {
        try (Program demo = Program.start(directory, Demo.class)) {
            int exitCode = demo.awaitExitCode();
            assertThat(demo.errors()).isEmpty();
            assertThat(exitCode).isZero();
            assertThat(demo.output())
                    .containsPattern("(?m)^ +[0-9]+\\.[0-9] s  A worker starts: process [0-9]+")
                    .containsSubsequence(
                            "sends the mail \"welcome, ada\"",
                            Worker.ASLEEP,
                            "kill -9 ",
                            "A new worker starts",
                            "sends the mail \"your trial is over, ada\"",
                            Worker.DONE + "done",
                            "The history of trial-ada",
                            "0  run of 'Trial' started",
                            "1  step 'Mail.welcome' completed",
                            "2  timer set to",
                            "---- kill -9",
                            "3  timer fired",
                            "4  step 'Mail.trialIsOver' completed",
                            "5  run completed",
                            "The timer fired",
                            "Each step ran once.")
                    .doesNotContain("\033", "Exception", "WARN");
        }
        assertThat(temporaryFiles()).isEmpty();
    }

    @Test
    void demoThatIsStoppedTakesItsWorkerAndItsFilesAlong() throws Exception {
        try (Program demo = Program.start(directory, Demo.class)) {
            ProcessHandle worker = awaitSleepOfTheFirstWorker(demo);
            demo.terminate();
            assertThat(demo.awaitExitCode()).isNotZero();
            assertThat(worker.isAlive()).isFalse();
            assertThat(demo.errors()).isEmpty();
        }
        assertThat(temporaryFiles()).isEmpty();
    }

    @Test
    void workerDoesNotOutliveADemoThatIsKilled() throws Exception {
        try (Program demo = Program.start(directory, Demo.class)) {
            awaitSleepOfTheFirstWorker(demo);
            demo.kill();
            demo.awaitExitCode();
        }
        Path folder = temporaryFiles().get(0);
        await().atMost(SOON).ignoreException(DormouseException.class).until(() -> isFree(folder));
    }

    @Test
    void helpIsGiven() throws Exception {
        try (Program demo = Program.start(directory, Demo.class, "--help")) {
            assertThat(demo.awaitExitCode()).isZero();
            assertThat(demo.output()).startsWith("usage: ./dormouse demo");
            assertThat(demo.errors()).isEmpty();
        }
    }

    @Test
    void argumentsAreRefused() throws Exception {
        try (Program demo = Program.start(directory, Demo.class, "--loudly")) {
            assertThat(demo.awaitExitCode()).isEqualTo(2);
            assertThat(demo.errors()).contains("Expected no arguments, but got '--loudly'");
        }
    }

    private static ProcessHandle awaitSleepOfTheFirstWorker(Program demo) {
        String pid = demo.awaitOutput("\\[(\\d+)] It sleeps").group(1);
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private List<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
            return files.toList();
        }
    }

    /** One process at a time can have the file open. */
    private static boolean isFree(Path folder) {
        try (Dormouse dormouse = Dormouse.builder().store(Stage.storeIn(folder)).open()) {
            return dormouse.find(Worker.WORKFLOW_ID, String.class).isPresent();
        }
    }
}
