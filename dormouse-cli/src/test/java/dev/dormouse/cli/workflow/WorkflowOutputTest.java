package dev.dormouse.cli.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FakeServer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The exact output of the commands that show runs. */
class WorkflowOutputTest {
    private static final String RUNS = """
            {"items": [
              {"workflowId": "order-17", "runId": "0199-a", "type": "order", "status": "WAITING", "wakeAt":
                "2026-11-16T10:57:00Z", "wakeReason": "TIMER", "events": 7, "startedAt": "2026-11-16T09:57:00Z"},
              {"workflowId": "order-\\u001b[31m16", "runId": "0199-b", "type": "order", "status": "COMPLETED", "wakeAt": null,
                "startedAt": "2026-11-14T10:00:00Z", "closedAt": "2026-11-14T10:00:00.4Z", "events": 12}
            ], "next": null, "searchedBackTo": null}""";

    private static final String RUN = """
            {"workflowId": "order-17", "runId": "0199-a", "type": "order", "status": "WAITING", "node": null,
             "wakeAt": "2026-11-16T10:57:00Z", "wakeReason": "TIMER", "events": 7, "takeovers": 1,
             "startedAt": "2026-11-16T09:57:00Z", "closedAt": null, "memo": {"customer": "ada"},
             "input": [{"json": {"item": "lamp"}}], "result": null, "failure": null,
             "signals": ["approve"], "queries": [], "updates": [],
             "waits": [{"call": 7, "kind": "await", "name": "", "since": "2026-11-16T09:57:10Z",
               "until": "2026-11-16T10:57:00Z", "canMove": true, "at": "OrderWorkflow.run(OrderWorkflow.java:31)"}],
             "steps": [], "children": [{"workflowId": "parcel-1", "type": "parcel", "status": "RUNNING"}],
             "runs": [{"runId": "0199-a", "status": "WAITING", "startedAt": "2026-11-16T09:57:00Z"}],
             "timeline": {"rows": [
               {"kind": "run", "name": "order", "result": null, "bars": [
                 {"from": "2026-11-16T09:57:00Z", "to": null, "state": "running", "attempt": 1}]},
               {"kind": "step", "name": "reserve", "result": "r-17", "bars": [
                 {"from": "2026-11-16T09:57:00Z", "to": "2026-11-16T09:57:02Z", "state": "done", "attempt": 1}]},
               {"kind": "step", "name": "charge", "result": null, "bars": [
                 {"from": "2026-11-16T09:57:02Z", "to": "2026-11-16T09:57:04Z", "state": "failed", "attempt": 1},
                 {"from": "2026-11-16T09:57:06Z", "to": "2026-11-16T09:57:10Z", "state": "done", "attempt": 2}]},
               {"kind": "await", "name": "", "result": null, "bars": [
                 {"from": "2026-11-16T09:57:10Z", "to": "2026-11-16T10:57:00Z", "state": "waiting", "attempt": 1}]}
             ], "lines": [{"at": "2026-11-16T09:57:05Z", "kind": "takeover", "text": "node b after 15 s"}]}}""";

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer().on("GET /workflows", 200, RUNS).on("GET /workflows/order-17", 200, RUN);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String out(String... arguments) {
        return in(Map.of("DORMOUSE_URL", server.url()), arguments);
    }

    private static String in(Map<String, String> variables, String... arguments) {
        CliResult ran =
                CliResult.runIn(CliResult.environment(InstantSource.fixed(CliResult.NOW), variables, ""), arguments);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        return ran.out();
    }

    @Test
    void runsAreListed() {
        assertThat(out("workflow", "list")).isEqualTo("""
                        ID                  TYPE   STATUS     STARTED    ENDED         NEXT
                        order-17            order  WAITING    3 min ago                sleep or deadline ends in 57 min
                        order-\\u001b[31m16  order  COMPLETED  2 d ago    1 d 23 h ago
                        """);
        assertThat(out("wf", "ls", "-o", "ids")).isEqualTo("order-17\norder-\u001b[31m16\n");
        assertThat(out("workflow", "list", "--times", "absolute"))
                .contains("2026-11-16 09:57:00 Z", "sleep or deadline ends 2026-11-16 10:57:00 Z");
    }

    @Test
    void runIsShownWithItsWaitsAndChildren() {
        assertThat(out("workflow", "show", "order-17")).isEqualTo("""
                        order-17  WAITING  order
                        Waits for a condition until 2026-11-16 10:57:00 Z (in 57 min).

                          run        0199-a
                          started    2026-11-16 09:57:00 Z (3 min ago)
                          events     7
                          takeovers  1 since the last event
                          memo       customer=ada
                          input      {"item":"lamp"}
                          signals    approve

                        Waits
                          CALL  FOR    NAME  SINCE           UNTIL      MOVABLE  AT
                          7     await        2 min 50 s ago  in 57 min  yes      OrderWorkflow.run(OrderWorkflow.java:31)

                        Children
                          ID        TYPE    STATUS
                          parcel-1  parcel  RUNNING
                        """);
    }

    @Test
    void traceDrawsATimeline() {
        assertThat(out("workflow", "trace", "order-17")).isEqualTo("""
                        order-17  WAITING  order
                        Waits for a condition until 2026-11-16 10:57:00 Z (in 57 min).

                                 09:57:00      09:57:03      09:57:06      09:58:59      10:47:45 Z
                                 ┬─────────────┬─────────────┬─────────────┬─────────────┬──
                        order    ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▶               3 min
                        reserve  ███████              ╎                                       2 s → r-17
                        charge          ██████✗·······╎······███████                          8 s, 2 attempts
                        await                         ╎             ░░░░░░░░░░░░░░░░░░░░░░░   in 57 min
                        ╎ 09:57:05  takeover: node b after 15 s

                        █ done  ✗ failed  ▓▶ running  ░ waiting  · until the next attempt   (the axis is not to scale)
                        """);
    }

    @Test
    void traceUsesOnlyAsciiIfTheLocaleIsNotUtf8() {
        String drawn = in(Map.of("DORMOUSE_URL", server.url(), "LANG", "C"), "workflow", "trace", "order-17");
        assertThat(drawn).contains("#####x", "-----").matches("\\p{ASCII}*");
    }
}
