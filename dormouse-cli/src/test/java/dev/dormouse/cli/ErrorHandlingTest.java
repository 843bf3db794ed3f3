package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Errors are one sentence and an exit code, never a stack trace. */
class ErrorHandlingTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "400, 2", "401, 6", "403, 6", "404, 3", "409, 4", "413, 2", "422, 1", "429, 5", "500, 1", "503, 5", "504, 7"
    })
    void httpStatusDeterminesTheExitCode(int status, int code) throws IOException {
        try (FakeServer server = new FakeServer()) {
            server.on("GET /workflows/x", status, """
                    {"error": {"code": "DM3001", "name": "N", "message": "Expected this,\\n but that.", "path": "$.at"}}""");
            CliResult ran = CliResult.run("workflow", "show", "x", "--url", server.url());
            assertThat(ran.code()).isEqualTo(code);
            assertThat(ran.err()).isEqualTo("dormouse: [DM3001] Expected this,  but that. (at $.at)\n");
            assertThat(ran.out()).isEmpty();
        }
    }

    @Test
    void responseOfAnotherServerIsReported() throws IOException {
        try (FakeServer server = new FakeServer().on("GET /nodes", 200, "<html>")) {
            for (String group : List.of("workflow", "node")) {
                CliResult ran = CliResult.run(group, "list", "--url", server.url());
                assertThat(ran.code()).isEqualTo(5);
                assertThat(ran.err())
                        .startsWith("dormouse: Expected a response of Dormouse")
                        .hasLineCount(1);
            }
        }
    }

    @Test
    void stoppedServerIsReportedInOneSentence() throws IOException {
        String url;
        try (ServerSocket socket = new ServerSocket(0)) {
            url = "http://127.0.0.1:" + socket.getLocalPort();
        }
        CliResult ran = CliResult.run("workflow", "list", "--url", url);
        assertThat(ran.code()).isEqualTo(5);
        assertThat(ran.err())
                .isEqualTo("dormouse: Expected a Dormouse server at " + url
                        + ", but nothing listens there. Check the URL, and that the server runs.\n");
    }

    @Test
    void invalidArgumentsEndWithUsageError() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.json"), "{");
        for (List<String> arguments : List.of(
                List.of("workflow", "start", "order", "{bad"),
                List.of("workflow", "start", "order", "{\"a\": 1"),
                List.of("server", "--store", "sqlite:" + folder.resolve("s.db"), "--address", "0.0.0.0", "--port", "0"),
                List.of("workflow", "start", "order", "ada"),
                List.of("workflow", "start", "order", "@" + file),
                List.of("workflow", "start", "order", "@" + folder.resolve("none.json")),
                List.of("workflow", "start", "order", "{\"a\": 1, \"a\": 2}"),
                List.of("workflow", "start", "order", "--at", "tomorrow"),
                List.of("workflow", "list", "--limit", "0"),
                List.of("workflow", "list", "--limit", "many"),
                List.of("workflow", "list", "-o", "xml"),
                List.of("workflow", "list", "--url", "localhost:7070"),
                List.of("workflow", "list", "--url", "http://a:secret@localhost"),
                List.of("workflow", "list", "--url", "http://localhost:1", "--store", "sqlite:x.db"),
                List.of("workflow", "list", "--store", "http://localhost:1"),
                List.of("workflow", "list", "--store", "sqlite::memory:"),
                List.of("workflow", "list", "--store", "mysql:x"),
                List.of(
                        "workflow",
                        "list",
                        "--token-file",
                        folder.resolve("none").toString()),
                List.of("workflow", "reset", "x"),
                List.of("workflow", "cancel"),
                List.of("timer", "add", "beep"),
                List.of("timer", "add", "beep", "--in", "1h", "--at", "2026-11-16T10:00:00Z"),
                List.of("timer", "add", "beep", "--in", "1 parsec"),
                List.of("schedule", "create", "s", "--cron", "* * * * *"),
                List.of("schedule", "create", "s", "--workflow", "w"),
                List.of("schedule", "next"),
                List.of("schedule", "backfill", "s", "--from", "x", "--to", "y"),
                List.of("dag", "validate", folder.resolve("none.json").toString()),
                List.of("dag", "run", file.toString()),
                List.of(
                        "history",
                        "replay",
                        file.toString(),
                        "--classpath",
                        folder.resolve("none.jar").toString()),
                List.of("history", "replay", file.toString(), "--classpath", folder.toString()),
                List.of("migrate"),
                List.of("backup", "x"),
                List.of("backup", "x", "--store", "jdbc:postgresql://localhost/x"),
                List.of("server"),
                List.of("dev", folder.resolve("none.jar").toString()),
                List.of("nonsense"),
                List.of("workflow"))) {
            CliResult ran = CliResult.run(arguments.toArray(String[]::new));
            assertThat(ran.code()).as("%s: %s", arguments, ran.err()).isEqualTo(2);
            assertThat(ran.err()).startsWith("dormouse: ").doesNotContain("\tat ", "secret", "bug in Dormouse");
        }
    }

    @Test
    void everyCommandHasHelp() {
        everyCommandHasHelp(Main.commandLine(CliResult.environment(InstantSource.system(), Map.of(), "")));
    }

    private static void everyCommandHasHelp(CommandLine line) {
        line.getSubcommands().values().forEach(ErrorHandlingTest::everyCommandHasHelp);
        assertThat(line.getCommandSpec().usageMessage().description()).isNotEmpty();
        assertThat(line.getUsageMessage()).doesNotContain("null");
    }

    @Test
    void exitCodesAreDocumented() {
        assertThat(CliResult.run("--help").out()).contains("Exit codes:", "5   the server or store does not respond");
    }
}
