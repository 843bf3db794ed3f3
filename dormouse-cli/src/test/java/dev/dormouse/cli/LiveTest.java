package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowModule;
import dev.dormouse.dag.Dags;
import dev.dormouse.server.DormouseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every command against a process that has an SQLite file open and serves it: by its URL, and by the file's name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveTest {
    private static final String RUNNING = "Approval";

    private Path folder;
    private Dormouse dormouse;
    private DormouseServer server;

    @BeforeAll
    void open(@TempDir Path temporary) {
        folder = temporary;
        Desk desk = new Desk();
        Dags dags = Dags.of();
        DormouseBuilder builder = Dormouse.builder().store(store());
        desk.register(builder);
        dormouse = builder.with(dags).open();
        server = DormouseServer.builder().dormouse(dormouse).dags(dags).port(0).start();
        desk.opened(dormouse);
    }

    @AfterAll
    void close() {
        server.close();
        dormouse.close();
    }

    private String store() {
        return "sqlite:" + folder.resolve("live.db");
    }

    /** By the file's name, which leads to the process. */
    private Ran ran(String... arguments) {
        return Ran.of(with(arguments, "--store", store()));
    }

    private static String[] with(String[] arguments, String... more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return all;
    }

    private String ok(String... arguments) {
        Ran ran = ran(arguments);
        assertThat(ran.code()).as("%s: %s", List.of(arguments), ran.err()).isZero();
        return ran.out();
    }

    private void fails(int code, String part, String... arguments) {
        Ran ran = ran(arguments);
        assertThat(ran.err()).contains(part).doesNotContain("\tat ", "mistake in Dormouse");
        assertThat(ran.code()).isEqualTo(code);
    }

    private void approval(String id) {
        ok("workflow", "start", RUNNING, "\"lamp\"", "--id", id);
    }

    @Test
    void workflowIsStartedAndAnswered() {
        assertThat(ok("workflow", "start", RUNNING, "\"lamp\"", "--id", "a-1", "--memo", "who=ada"))
                .startsWith("Started a-1: ")
                .contains("type Approval");
        assertThat(ok("workflow", "start", RUNNING, "\"lamp\"", "--id", "a-1")).startsWith("There was already a-1: ");
        assertThat(ok("workflow", "query", "a-1", "what")).isEqualTo("\"lamp\"\n");
        assertThat(ok("workflow", "update", "a-1", "raise", "2")).isEqualTo("3\n");
        assertThat(ok("workflow", "show", "a-1")).contains("Waits for ", "memo", "who=ada", "\"lamp\"");
        assertThat(ok("workflow", "trace", "a-1")).contains("note", "░", "await");
        fails(7, "[DM3007]", "workflow", "result", "a-1");
        assertThat(ok("workflow", "signal", "a-1", "approve", "\"ada\"")).isEqualTo("Signalled a-1.\n");
        assertThat(ok("workflow", "result", "a-1", "--wait", "30s")).isEqualTo("\"lamp x 3 by ada\"\n");
        fails(4, "[DM3002]", "workflow", "signal", "a-1", "approve", "\"bob\"");
        assertThat(ok("workflow", "list", "a-", "--status", "completed", "-o", "ids"))
                .contains("a-1\n");
        assertThat(ok("history", "show", "a-1")).contains("RunStarted", "RunCompleted");
    }

    @Test
    void workflowIsRun() {
        Ran ran = Ran.of("workflow", "run", "greeting", "\"Ada\"", "--url", server.url(), "--timeout", "30s");
        assertThat(ran.out()).isEqualTo("\"Hello, Ada!\"\n");
        fails(1, "no bread", "workflow", "run", "failing", "\"no bread\"", "--id", "f-1", "--timeout", "30s");
        assertThat(ok("workflow", "list", "--status", "failed", "--type", "failing"))
                .contains("f-1", "FAILED");
        assertThat(ok("workflow", "retry", "f-1")).isEqualTo("Retried f-1.\n");
    }

    @Test
    void waitIsMoved() {
        ok("workflow", "start", "nap", "5", "--id", "n-1");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> ok("workflow", "show", "n-1", "-o", "json").contains("\"canMove\" : true"));
        assertThat(ok("workflow", "move", "n-1", "--in", "0s")).startsWith("Moved wait ");
        assertThat(ok("workflow", "result", "n-1", "--wait", "30s")).isEqualTo("\"slept\"\n");
        fails(4, "that can be moved", "workflow", "move", "n-1", "--in", "0s");
    }

    @Test
    void manyAreChangedByIdsOnStandardInput() {
        approval("m-1");
        approval("m-2");
        Ran ran = Ran.reading(
                "m-1\nm-2\nm-nobody\n", "workflow", "terminate", "-", "--reason", "over", "--store", store());
        assertThat(ran.out()).contains("Terminated m-1.", "Terminated m-2.");
        assertThat(ran.err()).contains("m-nobody", "1 of 3 failed.");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ok("workflow", "list", "m-")).contains("TERMINATED").doesNotContain("WAITING");
        approval("m-3");
        assertThat(ok("workflow", "cancel", "m-3")).isEqualTo("Asked to end m-3.\n");
    }

    @Test
    void runIsReset() {
        approval("r-1");
        ok("workflow", "signal", "r-1", "approve", "\"ada\"");
        ok("workflow", "result", "r-1", "--wait", "30s");
        assertThat(ok("workflow", "reset", "r-1", "--events", "1")).startsWith("Reset r-1: ");
        fails(3, "[DM3001]", "workflow", "reset", "r-none", "--events", "1");
    }

    @Test
    void timersAreSetMovedFiredAndCancelled() {
        assertThat(ok("timer", "add", "beep", "{\"n\": 1}", "--in", "2h", "--id", "t-1"))
                .startsWith("Set t-1: PENDING");
        assertThat(ok("timer", "list")).contains("t-1", "timer", "in 1 h 59 min");
        assertThat(ok("timer", "move", "t-1", "--at", "2099-01-01 00:00")).contains("2099-01-01 00:00:00 Z");
        assertThat(ok("timer", "show", "t-1")).contains("handler beep");
        assertThat(ok("timer", "list", "--handler", "beep", "--status", "pending", "-o", "ids"))
                .contains("t-1\n");
        assertThat(ok("timer", "histogram", "--span", "all")).contains(" due");
        assertThat(ok("timer", "fire", "t-1")).startsWith("Fires now: t-1");
        fails(3, "[DM3027]", "timer", "show", "t-none");
        ok("timer", "add", "beep", "--in", "2h", "--id", "t-2");
        assertThat(ok("timer", "cancel", "t-2")).startsWith("Cancelled t-2: CANCELED");
        fails(4, "[DM3028]", "timer", "fire", "t-2");
    }

    @Test
    void schedulesAreKept() {
        assertThat(ok(
                        "schedule",
                        "create",
                        "s-1",
                        "--cron",
                        "0 9 * * MON-FRI",
                        "--zone",
                        "Europe/Berlin",
                        "--workflow",
                        "greeting",
                        "\"you\""))
                .startsWith("Created s-1: 0 9 * * MON-FRI (Europe/Berlin), active, next ");
        fails(4, "s-1", "schedule", "create", "s-1", "--every", "1h", "--timer", "beep");
        assertThat(ok("schedule", "list")).contains("s-1", "greeting");
        assertThat(ok("schedule", "next", "s-1").lines()).hasSize(6);
        assertThat(ok("schedule", "next", "--every", "15m").lines()).hasSize(6);
        assertThat(ok("schedule", "pause", "s-1", "--note", "holidays")).isEqualTo("Paused s-1.\n");
        assertThat(ok("schedule", "show", "s-1")).contains("paused", "holidays");
        ok("schedule", "resume", "s-1");
        assertThat(ok("schedule", "trigger", "s-1")).startsWith("Triggered s-1");
        ok("schedule", "backfill", "s-1", "--from", "2026-01-05T00:00:00Z", "--to", "2026-01-06T00:00:00Z");
        assertThat(ok("schedule", "delete", "s-1")).isEqualTo("Deleted s-1.\n");
        fails(3, "[DM3023]", "schedule", "show", "s-1");
        fails(2, "nonsense", "schedule", "next", "--cron", "nonsense");
    }

    @Test
    void dagIsValidatedShownAndRun() throws IOException {
        Path file = folder.resolve("rest.json");
        Files.writeString(file, """
                {"name": "rest", "version": 1, "steps": [{"id": "nap", "sleep": {"for": "PT0.01S"}}]}""");
        assertThat(Ran.of("dag", "validate", file.toString()).out()).contains("ok", "DAG 'rest' version 1");
        Ran bad = Ran.reading("{\"name\": \"rest\", \"steps\": [{}]}", "dag", "validate", "-");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.err()).contains("[DM1023]");
        assertThat(ok("dag", "run", file.toString(), "{}", "--id", "rest-1")).startsWith("Started rest-1: ");
        ok("workflow", "result", "rest-1", "--wait", "30s");
        assertThat(ok("dag", "show")).contains("rest");
        assertThat(ok("dag", "show", "rest")).contains("nap", "sleep");
        assertThat(ok("dag", "show", "rest", "--mermaid")).contains("flowchart");
        fails(3, "[DM3026]", "dag", "show", "none");
    }

    @Test
    void historyIsExportedAndReplayed() throws IOException {
        approval("h-1");
        Path file = folder.resolve("h-1.json");
        assertThat(ok("history", "export", "h-1", file.toString())).startsWith("Wrote ");
        Ran good = Ran.of(
                "history",
                "replay",
                file.toString(),
                "--classpath",
                folder.toString(),
                "--module",
                Desk.class.getName());
        assertThat(good.err()).isEmpty();
        assertThat(good.out()).contains("the code fits");
        Path services = Files.createDirectories(folder.resolve("classes/META-INF/services"));
        Files.writeString(services.resolve("dev.dormouse.WorkflowModule"), Desk.class.getName());
        Ran named = Ran.of(
                "history",
                "replay",
                file.toString(),
                "-c",
                folder.resolve("classes").toString());
        assertThat(named.out()).contains("the code fits");
        Ran other = Ran.of(
                "history",
                "replay",
                file.toString(),
                "--classpath",
                folder.toString(),
                "--module",
                Other.class.getName());
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("[DM").doesNotContain("\tat ");
    }

    /** Code that has nothing to do with it. */
    public static final class Other implements WorkflowModule {
        @Override
        public void register(DormouseBuilder builder) {
            builder.workflow("other", String.class, String.class, (ctx, input) -> input);
        }
    }

    @Test
    void eventIsPublished() {
        assertThat(ok("event", "publish", "payment", "{\"order\": 7}")).startsWith("Published payment as ");
    }

    @Test
    void allIsWell() {
        Ran ran = ran("doctor");
        assertThat(ran.out())
                .contains("✓ reachable", "✓ clock", "✓ permissions")
                .doesNotContain("✗");
        assertThat(ran.code()).isZero();
        assertThat(ok("node", "list")).isNotEmpty();
    }

    @Test
    void backupIsWrittenWhileTheStoreIsInUse() {
        Path copy = folder.resolve("copy.db");
        assertThat(ok("backup", copy.toString())).startsWith("Wrote ");
        assertThat(Ran.of("workflow", "list", "--store", "sqlite:" + copy).code())
                .isZero();
    }

    @Test
    void unknownIdsAreNotFound() {
        fails(3, "[DM3001]", "workflow", "show", "nobody");
        fails(3, "[DM3001]", "workflow", "trace", "no/body %41");
        fails(3, "[DM3001]", "workflow", "signal", "nobody", "approve");
        fails(3, "[DM3001]", "workflow", "result", "nobody");
        fails(3, "[DM3001]", "history", "export", "nobody");
    }
}
