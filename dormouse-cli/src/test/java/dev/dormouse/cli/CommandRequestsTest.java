package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The request that each command sends, and how it prints the response in each format. */
class CommandRequestsTest {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final String NOT_FOUND =
            "{\"error\": {\"code\": \"DM3001\", \"name\": \"N\", \"message\": \"Expected an id.\"}}";
    private static final String RUN =
            "{\"workflowId\":\"w-1\",\"runId\":\"r-1\",\"type\":\"order\",\"status\":\"RUNNING\"}";
    private static final String TIMER =
            "{\"id\":\"t-1\",\"status\":\"PENDING\",\"handler\":\"beep\",\"fireAt\":\"2026-11-16T11:00:00Z\"}";
    private static final String SQL_TIMER = "{\"id\":\"7\",\"status\":\"PENDING\",\"scheduledBy\":\"ada\",\"action\":"
            + "\"select 1\",\"attempts\":1,\"fireAt\":\"2026-11-16T11:00:00Z\"}";
    private static final String SCHEDULE =
            "{\"id\":\"s-1\",\"every\":\"PT15M\",\"paused\":false,\"target\":{\"workflow\":"
                    + "\"order\"},\"overlap\":\"SKIP\",\"next\":[\"2026-11-16T11:00:00Z\"],\"past\":[{\"scheduledFor\":"
                    + "\"2026-11-16T09:00:00Z\",\"startedId\":\"s-1-9\"}]}";

    /**
     * One command.
     *
     * @param command the words after {@code dormouse}
     * @param request the method, path and body that it sends
     * @param response the status and body that it receives
     * @param table its output as text
     * @param ids its output with {@code -o ids}
     */
    private record Example(String command, String request, String response, String table, String ids) {}

    static final List<Example> EXAMPLES = List.of(
            new Example(
                    "workflow start order '{\"a\":1}' 2 --id w-1 --in 1h --execution-timeout 2d --memo k=v --queue q --id-reuse REJECT",
                    "POST /workflows {\"type\":\"order\",\"input\":[{\"a\":1},2],\"id\":\"w-1\",\"queue\":\"q\",\"idReuse\":"
                            + "\"REJECT\",\"startDelay\":\"PT1H\",\"executionTimeout\":\"PT48H\",\"memo\":{\"k\":\"v\"}}",
                    "201 " + RUN,
                    "Started w-1: RUNNING, type order, run r-1",
                    "w-1"),
            new Example(
                    "workflow start order --at 2026-12-24T18:00",
                    "POST /workflows {\"type\":\"order\",\"startAt\":\"2026-12-24T18:00:00Z\"}",
                    "200 " + RUN,
                    "There was already w-1: RUNNING, type order, run r-1",
                    "w-1"),
            new Example(
                    "workflow reset w-1 --events 3 --run r-0",
                    "POST /workflows/w-1/reset?run=r-0 {\"events\":3}",
                    "200 " + RUN,
                    "Reset w-1: RUNNING, type order, run r-1",
                    "w-1"),
            new Example(
                    "workflow cancel w-1",
                    "POST /workflows/w-1/cancel {\"reason\":\"by command line\"}",
                    "200 {}",
                    "Requested cancellation of w-1.",
                    "w-1"),
            new Example(
                    "workflow terminate w-1 --reason old",
                    "POST /workflows/w-1/terminate {\"reason\":\"old\"}",
                    "200 {}",
                    "Terminated w-1.",
                    "w-1"),
            new Example("workflow retry w-1", "POST /workflows/w-1/retry {}", "200 {}", "Retried w-1.", "w-1"),
            new Example(
                    "workflow signal w-1 approve '\"ada\"' --key k",
                    "POST /workflows/w-1/signal {\"name\":\"approve\",\"arguments\":[\"ada\"],\"key\":\"k\"}",
                    "200 {}",
                    "Signalled w-1.",
                    "w-1"),
            new Example(
                    "workflow query w-1 what 7 --run r-0",
                    "POST /workflows/w-1/query?run=r-0 {\"name\":\"what\",\"arguments\":[7]}",
                    "200 {\"result\":{\"json\":\"lamp\"}}",
                    "\"lamp\"",
                    "\"lamp\""),
            new Example(
                    "workflow update w-1 raise --update-id u --wait 3s",
                    "POST /workflows/w-1/update {\"name\":\"raise\",\"arguments\":[],\"wait\":\"PT3S\",\"id\":\"u\"}",
                    "200 {\"result\":{\"bytes\":9,\"encoding\":\"binary\"}}",
                    "(9 bytes, binary)",
                    "(9 bytes, binary)"),
            new Example(
                    "workflow move w-1 --call 7 --in 0s --reason hurry",
                    "POST /workflows/w-1/waits/7/move {\"in\":\"PT0S\",\"reason\":\"hurry\"}",
                    "200 {}",
                    "Moved wait 7 of w-1.",
                    "Moved wait 7 of w-1."),
            new Example(
                    "workflow result w-1 --run r-1",
                    "GET /workflows/w-1/result?run=r-1&wait=PT0S ",
                    "200 {\"status\":\"COMPLETED\",\"result\":{\"json\":1}}",
                    "1",
                    "1"),
            new Example(
                    "timer add beep '\"tea\"' --in 1h --id t-1 --key k",
                    "POST /timers {\"handler\":\"beep\",\"in\":\"PT1H\",\"payload\":\"tea\",\"id\":\"t-1\",\"key\":\"k\"}",
                    "201 " + TIMER,
                    "Set t-1: PENDING, handler beep, 2026-11-16 11:00:00 Z (in 1 h)",
                    "t-1"),
            new Example(
                    "timer add beep --at 2026-11-16T11:00:00Z",
                    "POST /timers {\"handler\":\"beep\",\"at\":\"2026-11-16T11:00:00Z\"}",
                    "200 " + TIMER,
                    "There was already t-1: PENDING, handler beep, 2026-11-16 11:00:00 Z (in 1 h)",
                    "t-1"),
            new Example(
                    "timer show t-1",
                    "GET /timers/t-1 ",
                    "200 " + TIMER,
                    "Timer t-1: PENDING, handler beep, 2026-11-16 11:00:00 Z (in 1 h)",
                    "t-1"),
            new Example("timer show 7 --sql", "GET /sql-timers/7 ", "200 " + SQL_TIMER, """
                    Timer 7: PENDING, 2026-11-16 11:00:00 Z (in 1 h)
                      role      ada
                      action    select 1
                      attempts  1""", "7"),
            new Example(
                    "timer move t-1 --in 1h",
                    "POST /timers/t-1/move {\"in\":\"PT1H\"}",
                    "200 " + TIMER,
                    "Moved t-1: PENDING, handler beep, 2026-11-16 11:00:00 Z (in 1 h)",
                    "t-1"),
            new Example(
                    "timer fire t-1",
                    "POST /timers/t-1/fire {}",
                    "200 " + TIMER,
                    "Fires now: t-1: PENDING, handler beep, 2026-11-16 11:00:00 Z (in 1 h)",
                    "t-1"),
            new Example(
                    "timer cancel 7 --sql",
                    "POST /sql-timers/7/cancel {}",
                    "200 " + SQL_TIMER,
                    "Cancelled 7: PENDING, 2026-11-16 11:00:00 Z (in 1 h)",
                    "7"),
            new Example(
                    "schedule create s-1 '\"all\"' --every 15m --anchor 2026-11-16T10:00:00Z --workflow order --overlap cancel-other "
                            + "--catch-up all --jitter 5s --id-prefix p-",
                    "POST /schedules {\"id\":\"s-1\",\"every\":\"PT15M\",\"anchor\":\"2026-11-16T10:00:00Z\",\"workflow\":"
                            + "\"order\",\"input\":[\"all\"],\"overlap\":\"CANCEL_OTHER\",\"catchUp\":\"ALL\",\"idPrefix\":\"p-\","
                            + "\"jitter\":\"PT5S\"}",
                    "201 " + SCHEDULE,
                    "Created s-1: every PT15M, active, next 2026-11-16 11:00:00 Z (in 1 h)",
                    "s-1"),
            new Example(
                    "schedule create s-1 '\"tea\"' --cron '0 9 * * *' --zone Europe/Berlin --timer beep",
                    "POST /schedules {\"id\":\"s-1\",\"cron\":\"0 9 * * *\",\"zone\":\"Europe/Berlin\",\"timer\":\"beep\","
                            + "\"payload\":\"tea\"}",
                    "201 " + SCHEDULE,
                    "Created s-1: every PT15M, active, next 2026-11-16 11:00:00 Z (in 1 h)",
                    "s-1"),
            new Example("schedule show s-1", "GET /schedules/s-1 ", "200 " + SCHEDULE, """
                    Schedule s-1: every PT15M, active, next 2026-11-16 11:00:00 Z (in 1 h)
                      target   workflow order
                      overlap  SKIP

                    Next
                      AT
                      2026-11-16 11:00:00 Z  in 1 h

                    Past
                      FOR                              STARTED
                      2026-11-16 09:00:00 Z (1 h ago)  s-1-9""", "s-1"),
            new Example(
                    "schedule pause s-1 --note holidays",
                    "POST /schedules/s-1/pause {\"note\":\"holidays\"}",
                    "200 {}",
                    "Paused s-1.",
                    "s-1"),
            new Example("schedule resume s-1", "POST /schedules/s-1/resume {}", "200 {}", "Resumed s-1.", "s-1"),
            new Example(
                    "schedule trigger s-1",
                    "POST /schedules/s-1/trigger {}",
                    "200 {\"startedId\":\"x\"}",
                    "Triggered s-1: started x.",
                    "s-1"),
            new Example(
                    "schedule backfill s-1 --from 2026-01-05T00:00 --to 2026-01-06T00:00:00Z --overlap allow-all",
                    "POST /schedules/s-1/backfill {\"from\":\"2026-01-05T00:00:00Z\",\"to\":\"2026-01-06T00:00:00Z\","
                            + "\"overlap\":\"ALLOW_ALL\"}",
                    "200 {}",
                    "Backfilled s-1.",
                    "s-1"),
            new Example("schedule delete s-1", "DELETE /schedules/s-1 ", "200 {}", "Deleted s-1.", "s-1"),
            new Example(
                    "dag run order '{\"id\":1}' --id w-1",
                    "POST /dags/order/start {\"input\":{\"id\":1},\"id\":\"w-1\"}",
                    "201 " + RUN,
                    "Started w-1: RUNNING, run r-1",
                    "w-1"),
            new Example(
                    "event publish payment '{\"order\":7}' --key k",
                    "POST /events {\"name\":\"payment\",\"payload\":{\"order\":7},\"key\":\"k\"}",
                    "201 {\"id\":\"e-1\"}",
                    "Published payment as e-1.",
                    "e-1"));

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @FieldSource("EXAMPLES")
    void commandSendsItsRequestAndPrintsTheResponseInEachFormat(Example example) {
        int status = Integer.parseInt(example.response().substring(0, 3));
        String body = example.response().substring(4);
        String[] request = example.request().split(" ", 3);
        server.on(request[0] + " " + request[1], status, body);
        assertThat(ok(example.command())).isEqualTo(example.table() + "\n");
        assertThat(ok(example.command() + " -o ids")).isEqualTo(example.ids() + "\n");
        if (!example.command().contains(" move w-1")) {
            assertThat(ok(example.command() + " -o json").replaceAll("[ \n]", ""))
                    .isEqualTo(body.replaceAll("[ \n]", ""));
        }
        assertThat(server.requests()).isNotEmpty().allSatisfy(sent -> {
            assertThat(sent.line()).isEqualTo(request[0] + " /api/v1" + request[1]);
            assertThat(sent.body()).isEqualTo(request[2]);
        });
    }

    @Test
    void laterIdsAreTriedAfterOneFails() {
        for (String path : List.of("/timers/a/fire", "/schedules/a/pause")) {
            server.on("POST " + path, 404, NOT_FOUND).on("POST " + path.replace("/a/", "/b/"), 200, "{\"id\":\"b\"}");
        }
        for (String command : List.of("timer fire a b -o ids", "schedule pause a b -o ids")) {
            CliResult result = run(command, "");
            assertThat(result.out()).isEqualTo("b\n");
            assertThat(result.err()).isEqualTo("dormouse: [DM3001] Expected an id.\n");
            assertThat(result.code()).isEqualTo(3);
        }
    }

    @Test
    void idsOnStandardInputAreDistinct() {
        server.on("POST /timers/a/cancel", 200, TIMER).on("POST /timers/b/cancel", 200, TIMER);
        assertThat(run("timer cancel a - -o ids", "b\n\na\n").out()).isEqualTo("t-1\nt-1\n");
        assertThat(server.requests()).hasSize(2);
        for (String command : List.of("timer cancel -", "schedule delete -", "workflow retry -")) {
            CliResult none = run(command, "\n");
            assertThat(none.code()).isEqualTo(2);
            assertThat(none.err()).contains("Expected ids on standard input");
        }
    }

    @Test
    void manyRunsAreChangedByOneRequest() {
        server.on(
                "POST /workflows/batch",
                200,
                "{\"results\":[{\"id\":\"a\",\"ok\":true},{\"id\":\"b\",\"ok\":false,\"error\":{\"message\":\"No run.\"}}]}");
        CliResult result = run("workflow terminate a b --reason old", "");
        assertThat(server.requests().get(0).body())
                .isEqualTo("{\"reason\":\"old\",\"action\":\"terminate\",\"ids\":[\"a\",\"b\"]}");
        assertThat(result.out()).isEqualTo("Terminated a.\n");
        assertThat(result.err()).isEqualTo("dormouse: b: No run.\n1 of 2 failed.\n");
        assertThat(result.code()).isEqualTo(1);
        CliResult json = run("workflow retry a b -o json", "");
        assertThat(json.out()).startsWith("[ {").contains("\"No run.\"");
        assertThat(json.code()).isEqualTo(1);
    }

    @Test
    void signalWithAKeyIsSentToEachRunSeparately() {
        server.on("POST /workflows/a/signal", 200, "{}").on("POST /workflows/b/signal", 200, "{}");
        assertThat(run("workflow signal - go --key k", "a\nb\n").out()).isEqualTo("Signalled a.\nSignalled b.\n");
    }

    @Test
    void historyIsShownInEachFormat() {
        server.on(
                "GET /workflows/w-1/history",
                200,
                "{\"items\":[{\"seq\":1,\"at\":\"2026-11-16T09:00:00Z\",\"kind\":\"RunStarted\",\"summary\":\"order\"}]}");
        assertThat(ok("history show w-1 --run r-0"))
                .isEqualTo("SEQ  AT       EVENT\n1    1 h ago  RunStarted  order\n");
        assertThat(ok("history show w-1 -o ids")).isEqualTo("1\n");
        assertThat(server.requests().get(0).line()).isEqualTo("GET /api/v1/workflows/w-1/history?run=r-0&limit=1000");
        server.on("GET /workflows/w-1/export", 200, "{\"events\": []}");
        assertThat(ok("history export w-1 --run r-0")).isEqualTo("{\"events\": []}");
    }

    @Test
    void nodesAreListedInEachFormat() {
        server.on(
                "GET /nodes",
                200,
                "{\"items\":[{\"id\":\"n-1\",\"name\":\"a\",\"alive\":true,\"startedAt\":\"2026-11-16T09:00:00Z\","
                        + "\"seenAt\":\"2026-11-16T10:00:00Z\",\"executing\":1,\"parked\":2,\"recovered\":3}]}");
        assertThat(ok("node list")).isEqualTo("""
                ID   NAME  STATE  STARTED  SEEN  EXECUTING  PARKED  RECOVERED
                n-1  a     alive  1 h ago  now   1          2       3
                """);
        assertThat(ok("node ls -o ids")).isEqualTo("n-1\n");
        server.on(
                "GET /nodes",
                200,
                "{\"items\":[{\"id\":\"n-1\",\"alive\":true,\"silent\":true},{\"id\":\"n-2\",\"alive\":false,\"silent\":false}]}");
        assertThat(ok("node list")).contains("silent", "gone").doesNotContain("alive");
    }

    @Test
    void timersAreListedByDueTimeOrByFilter() {
        server.on("GET /timers", 200, "{\"items\":[" + TIMER + "]}");
        assertThat(ok("timer list --kind timer")).isEqualTo("""
                KIND  ID   NAME  DUE
                      t-1        in 1 h
                """);
        assertThat(ok("timer list --handler beep --prefix t --status pending,fired"))
                .isEqualTo("""
                ID   HANDLER  STATUS   FIRES   ATTEMPTS  LAST FAILURE
                t-1  beep     PENDING  in 1 h
                """);
        assertThat(server.requests().stream().map(FakeServer.Request::line))
                .containsExactly(
                        "GET /api/v1/timers?order=due&kind=timer&limit=50",
                        "GET /api/v1/timers?handler=beep&prefix=t&status=PENDING%2CFIRED&limit=50");
    }

    @Test
    void schedulesAreListedAndPreviewed() {
        server.on("GET /schedules", 200, "{\"items\":[" + SCHEDULE + "]}")
                .on("GET /schedules/preview", 200, "{\"next\":[\"2026-11-16T11:00:00Z\"]}");
        assertThat(ok("schedule list")).isEqualTo("""
                ID   WHEN         TARGET          STATE   NEXT
                s-1  every PT15M  workflow order  active  in 1 h
                """);
        assertThat(ok("schedule next --cron '0 9 * * *' --zone UTC")).isEqualTo("""
                AT
                2026-11-16 11:00:00 Z  in 1 h
                """);
        assertThat(server.requests().get(1).line())
                .isEqualTo("GET /api/v1/schedules/preview?cron=0%209%20%2A%20%2A%20%2A&zone=UTC".replace("%2A", "*"));
    }

    private String ok(String command) {
        CliResult result = run(command, "");
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return result.out();
    }

    private CliResult run(String command, String input) {
        Matcher words = WORD.matcher(command);
        String[] arguments = Stream.concat(
                        words.results().map(word -> word.group(1) == null ? word.group(2) : word.group(1)),
                        Stream.of("--url", server.url()))
                .toArray(String[]::new);
        return CliResult.runIn(CliResult.environment(InstantSource.fixed(CliResult.NOW), Map.of(), input), arguments);
    }
}
