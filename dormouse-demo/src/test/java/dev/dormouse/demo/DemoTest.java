package dev.dormouse.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.support.ProgramProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@Timeout(300)
class DemoTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void scriptedDemoOnSqliteSucceedsAndLeavesNothingBehind() throws Exception {
        try (ProgramProcess demo = ProgramProcess.start(directory, Demo.class)) {
            assertScriptedDemo(demo, "kill -9 ", "is dead. ", "is back after ", "A resumed ");
        }
    }

    @Test
    void scriptedDemoOnPostgresSucceedsAndLeavesNothingBehind() throws Exception {
        try (ProgramProcess demo = ProgramProcess.start(directory, Demo.class, "--postgres")) {
            assertScriptedDemo(demo, "Two workers share the work", "kill -9 ", "is dead. ", " took over ");
        }
    }

    private void assertScriptedDemo(ProgramProcess demo, String... recovery) throws Exception {
        int exitCode = demo.awaitExitCode();
        assertThat(demo.errors()).isEmpty();
        assertThat(exitCode).as(demo.output()).isZero();
        assertThat(demo.output())
                .containsSubsequence(recovery)
                .containsSubsequence(
                        " is approved",
                        "its sleep was moved from",
                        "All workers have been stopped",
                        "Found 20 orders",
                        "none lost",
                        "meanwhile have fired",
                        "20 orders, each ended once; none is lost",
                        "80 results of steps, each counted once",
                        " timers, none early",
                        "0 threads held by up to ")
                .containsPattern("[1-9][0-9]* events? replayed, [1-9][0-9]* steps? repeated")
                .doesNotContain("\033", "Exception", "WARN", "No: ");
        assertThat(temporaryFiles()).isEmpty();
    }

    @Test
    void stoppedDemoEndsItsWorkerAndDeletesItsFiles() throws Exception {
        try (ProgramProcess demo = ProgramProcess.start(directory, Demo.class)) {
            ProcessHandle worker = awaitWorker(demo);
            String url = demo.awaitOutput("The dashboard of worker A: (http://127\\.0\\.0\\.1:\\d+)\\s")
                    .group(1);
            await().atMost(SOON)
                    .ignoreExceptionsInstanceOf(IOException.class) // the demo kills its worker, and restarts it
                    .untilAsserted(() -> assertDashboard(url));
            demo.terminate();
            assertThat(demo.awaitExitCode()).isNotZero();
            assertThat(worker.isAlive()).isFalse();
            assertThat(demo.errors()).isEmpty();
        }
        assertThat(temporaryFiles()).isEmpty();
    }

    private static void assertDashboard(String url) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/api/v1/nodes")).build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("worker A");
    }

    @Test
    void workerDoesNotOutliveAKilledDemo() throws Exception {
        try (ProgramProcess demo = ProgramProcess.start(directory, Demo.class)) {
            ProcessHandle worker = awaitWorker(demo);
            demo.awaitOutput("Twenty orders");
            demo.kill();
            demo.awaitExitCode();
            await().atMost(SOON).until(() -> !worker.isAlive());
        }
    }

    @Test
    void helpIsPrinted() throws Exception {
        try (ProgramProcess demo = ProgramProcess.start(directory, Demo.class, "--help")) {
            assertThat(demo.awaitExitCode()).isZero();
            assertThat(demo.output()).startsWith("usage: ./dormouse demo");
            assertThat(demo.errors()).isEmpty();
        }
    }

    @Test
    void unknownOptionsAreRefused() throws Exception {
        assertRefused(2, "Expected --postgres, --dir or --help, but got '--loudly'", "--loudly");
    }

    @Test
    void folderThatCannotBeWrittenToIsRefused() throws Exception {
        String file = Files.createFile(directory.resolve("file")).toString();
        assertRefused(1, "Name another folder: --dir FOLDER.", "--dir", file + "/folder");
    }

    @Test
    void unreachablePostgresIsReported() throws Exception {
        assertRefused(1, "[DM2005]", "--postgres", "jdbc:postgresql://localhost:1/nothing?user=nobody");
    }

    private void assertRefused(int code, String message, String... arguments) throws Exception {
        try (ProgramProcess demo = ProgramProcess.start(directory, Demo.class, arguments)) {
            assertThat(demo.awaitExitCode()).isEqualTo(code);
            assertThat(demo.errors())
                    .startsWith("dormouse demo: ")
                    .contains(message)
                    .doesNotContain("\tat ");
        }
        assertThat(temporaryFiles()).isEmpty();
    }

    private static ProcessHandle awaitWorker(ProgramProcess demo) {
        String pid = demo.awaitOutput("Worker A starts: process (\\d+)").group(1);
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private List<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
            return files.toList();
        }
    }
}
