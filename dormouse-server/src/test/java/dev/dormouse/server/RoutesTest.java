package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.server.api.OpenApiChecker;
import dev.dormouse.server.api.OpenApiTest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every route over HTTP: once as it is meant to be used, and once with a mistake. All responses are validated against
 * the checked-in OpenAPI document.
 */
class RoutesTest {
    private static final String API = "/api/v1";

    @TempDir
    static Path folder;

    private static Shop shop;
    private static DormouseServer server;
    private static ApiClient web;
    private static OpenApiChecker checker;

    @BeforeAll
    static void open() {
        checker = new OpenApiChecker(OpenApiTest.document());
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .dags(shop.dags)
                .port(0)
                .start();
        web = new ApiClient(
                server.url() + API,
                (method, path, answer) -> checker.check(method, path, answer.status(), answer.json()));
    }

    @AfterAll
    static void close() {
        server.close();
        shop.close();
        Set<String> missing = checker.missing();
        missing.removeIf(operation -> operation.startsWith("GET /events/stream") || operation.contains("/sql-timers"));
        assertThat(missing).isEmpty();
    }

    private static void assertProblem(ApiClient.Response answer, int status, String code, String path) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.text("/error/name")).as(answer.body()).isEqualTo(code);
        assertThat(answer.text("/error/code")).matches("DM\\d{4}");
        assertThat(answer.text("/error/message")).startsWith("[" + answer.text("/error/code") + "] Expected ");
        assertThat(answer.text("/error/path")).as(answer.body()).isEqualTo(path);
        assertThat(answer.body()).doesNotContain("\\tat ");
    }

    private static String waitingOrder(String id) {
        assertThat(web.post("/workflows", "{\"type\":\"order\",\"id\":\"" + id + "\",\"input\":[\"lamp\",2]}")
                        .status())
                .isEqualTo(201);
        awaitStatus(id, "WAITING");
        return id;
    }

    private static void awaitStatus(String id, String status) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            String now = web.get("/workflows/" + id).text("/status");
            return now.equals(status) || (status.equals("WAITING") && now.equals("PARKED"));
        });
    }

    // ---- what the server is

    @Test
    void info() {
        ApiClient.Response info = web.get("/info");
        assertThat(info.status()).isEqualTo(200);
        assertThat(info.text("/store/kind")).isEqualTo("SQLite");
        assertThat(info.text("/store/name")).isEqualTo("shop.db");
        assertThat(info.text("/role")).isEqualTo("admin");
        assertThat(info.at("/types").toString()).contains("order").doesNotContain("dag:");
        assertThat(info.at("/handlers").toString()).isEqualTo("[\"remind\"]");
        assertThat(info.at("/dags").asBoolean()).isTrue();
        assertProblem(web.get("/info?what=1"), 400, "BAD_REQUEST", "?what");
        assertProblem(web.post("/info", "{}"), 405, "METHOD_NOT_ALLOWED", "");
        assertProblem(web.get("/nothing"), 404, "NOT_FOUND", "");
    }

    @Test
    void errors() {
        assertThat(web.get("/errors/DM3001").text("/name")).isEqualTo("RUN_NOT_FOUND");
        assertThat(web.get("/errors/DM3001").text("/meaning")).isNotEmpty();
        assertProblem(web.get("/errors/DM0000"), 404, "NOT_FOUND", "");
    }

    @Test
    void overviews() {
        assertThat(web.get("/overview").at("/running/exact").isBoolean()).isTrue();
        assertThat(web.get("/throughput?span=1h").at("/slots").size()).isGreaterThan(50);
        assertThat(web.get("/nodes").at("/items").isArray()).isTrue();
        assertThat(web.get("/timers/histogram?span=day").at("/buckets").size()).isEqualTo(60);
        assertProblem(web.get("/throughput?span=2h"), 400, "BAD_REQUEST", "?span");
        assertProblem(web.get("/timers/histogram?span=year"), 400, "BAD_REQUEST", "?span");
        assertProblem(web.get("/overview?x"), 400, "BAD_REQUEST", "?x");
        assertProblem(web.get("/nodes?x=1"), 400, "BAD_REQUEST", "?x");
    }

    // ---- workflows

    @Test
    void workflowIsStartedAndShown() {
        ApiClient.Response started = web.post(
                "/workflows", "{\"type\":\"echo\",\"id\":\"a b/ü\",\"input\":{\"n\":1},\"memo\":{\"who\":\"ada\"}}");
        assertThat(started.status()).isEqualTo(201);
        ApiClient.Response again = web.post("/workflows", "{\"type\":\"echo\",\"id\":\"a b/ü\",\"input\":{\"n\":2}}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("/runId")).isEqualTo(started.text("/runId"));
        String path = "/workflows/a%20b%2F%C3%BC";
        ApiClient.Response result = web.get(path + "/result?wait=PT20S");
        assertThat(result.text("/status")).isEqualTo("COMPLETED");
        assertThat(result.at("/result/json/n").asInt()).isEqualTo(1);
        ApiClient.Response run = web.get(path + "?run=" + started.text("/runId"));
        assertThat(run.text("/workflowId")).isEqualTo("a b/ü");
        assertThat(run.text("/memo/who")).isEqualTo("ada");
        assertThat(run.at("/input/0/json/n").asInt()).isEqualTo(1);
        assertThat(run.text("/timeline/rows/0/kind")).isEqualTo("run");
        assertThat(run.at("/runs").size()).isEqualTo(1);
        assertThat(web.get(path + "/history?limit=1")
                        .at("/items/0/detail/input/0/json/n")
                        .asInt())
                .isEqualTo(1);
        assertThat(web.get(path + "/history?after=0").text("/items/0/kind")).isEqualTo("RunCompleted");
        ApiClient.Response export = web.get(path + "/export");
        assertThat(export.header("Content-Disposition").orElse("")).startsWith("attachment; filename=\"a_b");
        assertThat(export.text("/events/0/kind")).isEqualTo("RunStarted");
        assertThat(web.get("/workflows?prefix=a%20b").at("/items").size()).isEqualTo(1);
    }

    @Test
    void startsThatAreRefused() {
        assertProblem(web.post("/workflows", "{\"type\":\"nobody\"}"), 400, "UNKNOWN_WORKFLOW_TYPE", "");
        assertProblem(web.post("/workflows", "{\"id\":\"x\"}"), 400, "BAD_REQUEST", "$.type");
        assertProblem(web.post("/workflows", "{\"type\":1}"), 400, "BAD_REQUEST", "$.type");
        assertProblem(web.post("/workflows", "{\"type\":\"echo\""), 400, "BAD_REQUEST", "$");
        assertProblem(web.post("/workflows", "[]"), 400, "BAD_REQUEST", "$");
        assertProblem(web.post("/workflows", "{\"type\":\"echo\",\"typo\":1}"), 400, "BAD_REQUEST", "$.typo");
        assertProblem(
                web.post("/workflows", "{\"type\":\"echo\",\"startAt\":\"tomorrow\"}"),
                400,
                "BAD_REQUEST",
                "$.startAt");
        assertProblem(
                web.post("/workflows", "{\"type\":\"echo\",\"startDelay\":\"5m\"}"),
                400,
                "BAD_REQUEST",
                "$.startDelay");
        assertProblem(web.post("/workflows", "{\"type\":\"echo\",\"memo\":{\"a\":1}}"), 400, "BAD_REQUEST", "$.memo.a");
        assertProblem(
                web.post("/workflows", "{\"type\":\"echo\",\"idReuse\":\"maybe\"}"), 400, "BAD_REQUEST", "$.idReuse");
        assertProblem(web.post("/workflows", "{\"type\":\"order\",\"input\":[1]}"), 400, "PAYLOAD_DOES_NOT_FIT", "");
        assertProblem(web.post("/workflows", "{\"type\":\"echo\",\"id\":\"!x\"}"), 400, "BAD_ARGUMENT", "");
        assertProblem(web.post("/workflows", "{\"type\":\"echo\",\"id\":\"a\\u0000\"}"), 400, "BAD_REQUEST", "$.id");
        web.post("/workflows", "{\"type\":\"echo\",\"id\":\"taken\",\"input\":1}");
        assertProblem(
                web.post("/workflows", "{\"type\":\"echo\",\"id\":\"taken\",\"input\":1,\"idReuse\":\"REJECT\"}"),
                409,
                "WORKFLOW_ID_TAKEN",
                "");
    }

    @Test
    void unknownIds() {
        for (String path : new String[] {"", "/history", "/export", "/result"}) {
            assertProblem(web.get("/workflows/none" + path), 404, "RUN_NOT_FOUND", "");
        }
        assertProblem(web.get("/workflows/none/dag"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.get("/workflows/none?run=1"), 400, "BAD_REQUEST", "?run");
        waitingOrder("known");
        assertProblem(web.get("/workflows/known?run=00000000-0000-7000-8000-000000000000"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.get("/workflows/%C3"), 400, "BAD_REQUEST", "");
        assertProblem(web.get("/workflows/a%00b"), 400, "BAD_REQUEST", "");
        assertProblem(web.post("/workflows/none/signal", "{\"name\":\"x\"}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/query", "{\"name\":\"x\"}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/update", "{\"name\":\"x\"}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/cancel", "{}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/terminate", "{}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/retry", "{}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/reset", "{\"events\":1}"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.post("/workflows/none/timers/x/move", "{\"in\":\"PT0S\"}"), 404, "RUN_NOT_FOUND", "");
    }

    @Test
    void lists() {
        for (int i = 0; i < 5; i++) {
            web.post("/workflows", "{\"type\":\"echo\",\"id\":\"list-" + i + "\",\"input\":" + i + "}");
        }
        ApiClient.Response first = web.get("/workflows?prefix=list-&limit=3");
        assertThat(first.at("/items").size()).isEqualTo(3);
        ApiClient.Response second = web.get("/workflows?prefix=list-&limit=3&page=" + first.text("/next"));
        assertThat(second.at("/items").size()).isEqualTo(2);
        assertThat(second.at("/next").isNull()).isTrue();
        assertThat(web.get("/workflows?type=echo&status=COMPLETED,RUNNING&limit=2")
                        .at("/items")
                        .size())
                .isEqualTo(2);
        shop.dormouse.timers().after(Duration.ofHours(5), "remind", Map.of());
        assertThat(web.get("/workflows?limit=1000").body()).doesNotContain("\"workflowId\":\"!");
        assertProblem(web.get("/workflows?limit=0"), 400, "BAD_REQUEST", "?limit");
        assertProblem(web.get("/workflows?limit=many"), 400, "BAD_REQUEST", "?limit");
        assertProblem(web.get("/workflows?status=SLEEPY"), 400, "BAD_REQUEST", "?status");
        assertProblem(web.get("/workflows?page=%7B%7D"), 400, "BAD_REQUEST", "?page");
        assertProblem(web.get("/workflows?page=AAAA"), 400, "BAD_REQUEST", "?page");
        assertProblem(web.get("/workflows?page=eHh4"), 400, "BAD_ARGUMENT", "");
        assertProblem(web.get("/workflows?limit=1&limit=2"), 400, "BAD_REQUEST", "?limit");
        assertProblem(web.get("/workflows/list-1/history?after=x"), 400, "BAD_REQUEST", "?after");
        assertProblem(web.get("/workflows/list-1/export?x=1"), 400, "BAD_REQUEST", "?x");
    }

    @Test
    void messages() {
        String path = "/workflows/" + waitingOrder("mail");
        assertThat(web.post(path + "/query", "{\"name\":\"state\"}").text("/result/json"))
                .isEqualTo("waiting");
        assertThat(web.post(path + "/update", "{\"name\":\"addPieces\",\"arguments\":[3],\"wait\":\"PT20S\"}")
                        .at("/result/json")
                        .asInt())
                .isEqualTo(5);
        assertProblem(
                web.post(path + "/update", "{\"name\":\"addPieces\",\"arguments\":[0]}"), 422, "UPDATE_REJECTED", "");
        assertProblem(web.post(path + "/update", "{\"name\":\"nothing\"}"), 400, "UNKNOWN_UPDATE", "");
        assertProblem(
                web.post(path + "/update", "{\"name\":\"addPieces\",\"wait\":\"PT2M\"}"), 400, "BAD_REQUEST", "$.wait");
        assertProblem(web.post(path + "/query", "{\"name\":\"nothing\"}"), 400, "UNKNOWN_QUERY", "");
        assertProblem(web.post(path + "/query", "{}"), 400, "BAD_REQUEST", "$.name");
        assertProblem(web.post(path + "/signal", "{\"name\":\"approves\"}"), 400, "UNKNOWN_SIGNAL", "");
        assertProblem(
                web.post(path + "/signal", "{\"name\":\"approve\",\"arguments\":1}"),
                400,
                "BAD_REQUEST",
                "$.arguments");
        Instant later = Instant.parse("2031-01-01T00:00:00Z");
        assertThat(web.post(path + "/timers/deadline/move", "{\"at\":\"" + later + "\",\"reason\":\"holidays\"}")
                        .status())
                .isEqualTo(200);
        Awaitility.await().until(() -> web.get(path).text("/wakeAt").equals(later.toString()));
        assertProblem(web.post(path + "/timers/other/move", "{\"in\":\"PT1S\"}"), 409, "UPDATE_FAILED", "");
        assertProblem(web.post(path + "/timers/deadline/move", "{}"), 400, "BAD_REQUEST", "$.at");
        assertProblem(
                web.post(path + "/timers/deadline/move", "{\"in\":\"P999999999999D\"}"), 400, "BAD_REQUEST", "$.in");
        assertThat(web.post(path + "/signal", "{\"name\":\"approve\",\"arguments\":[\"ada\"],\"key\":\"k\"}")
                        .status())
                .isEqualTo(202);
        assertThat(web.get(path + "/result?wait=PT20S").text("/result/json")).isEqualTo("R-lamp x 5 for ada");
        assertProblem(
                web.post(path + "/signal", "{\"name\":\"approve\",\"arguments\":[\"eve\"]}"), 409, "RUN_CLOSED", "");
        JsonNode rows = web.get(path).at("/timeline/rows");
        assertThat(rows.valueStream().map(row -> row.get("kind").asString()).toList())
                .contains("run", "step", "update", "signal");
    }

    @Test
    void waits() {
        web.post("/workflows", "{\"type\":\"sleeper\",\"id\":\"nap\",\"input\":5}");
        awaitStatus("nap", "WAITING");
        ApiClient.Response before = web.get("/workflows/nap");
        assertThat(before.text("/waits/0/kind")).isEqualTo("sleep");
        assertThat(before.at("/waits/0/canMove").asBoolean()).isTrue();
        String move = "/workflows/nap/waits/" + before.at("/waits/0/call").asInt() + "/move";
        assertThat(web.post(move, "{\"at\":\"2031-01-01T00:00:00Z\"}").status()).isEqualTo(200);
        ApiClient.Response after = web.get("/workflows/nap");
        assertThat(after.text("/waits/0/until")).isEqualTo("2031-01-01T00:00:00Z");
        assertThat(after.at("/timeline/rows").toString()).contains("\"to\":\"2031-01-01T00:00:00Z\"");
        assertProblem(web.post("/workflows/nap/waits/99/move", "{\"in\":\"PT0S\"}"), 409, "UPDATE_FAILED", "");
        assertProblem(web.post("/workflows/nap/waits/x/move", "{\"in\":\"PT0S\"}"), 400, "BAD_REQUEST", "{call}");
        assertThat(web.post(move, "{\"in\":\"PT0S\"}").status()).isEqualTo(200);
        assertThat(web.get("/workflows/nap/result?wait=PT20S").text("/result/json"))
                .isEqualTo("slept");
        assertThat(web.get("/workflows/nap").at("/waits").size()).isZero();
    }

    @Test
    void results() {
        String path = "/workflows/" + waitingOrder("result");
        assertProblem(web.get(path + "/result"), 504, "RESULT_TIMEOUT", "");
        assertProblem(web.get(path + "/result?wait=x"), 400, "BAD_REQUEST", "?wait");
        web.post("/workflows", "{\"type\":\"broken\",\"id\":\"fails\",\"input\":1}");
        ApiClient.Response failed = web.get("/workflows/fails/result?wait=PT20S");
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/failure/type")).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void endsOfRuns() {
        String first = "/workflows/" + waitingOrder("cancel");
        assertThat(web.post(first + "/cancel", "{\"reason\":\"no longer wanted\"}")
                        .status())
                .isEqualTo(202);
        awaitStatus("cancel", "CANCELLED");
        assertProblem(web.post(first + "/cancel", "{}"), 409, "RUN_CLOSED", "");
        assertProblem(web.post(first + "/retry", ""), 409, "RETRY_REFUSED", "");
        String second = "/workflows/" + waitingOrder("terminate");
        assertThat(web.post(second + "/terminate", "{\"reason\":\"gone\"}").text("/status"))
                .isEqualTo("TERMINATED");
        assertProblem(web.post(second + "/terminate", "{}"), 409, "RUN_CLOSED", "");
        assertProblem(web.post(second + "/terminate", "{\"reason\":1}"), 400, "BAD_REQUEST", "$.reason");
        assertThat(web.post(second + "/reset", "{\"events\":1}").text("/status"))
                .isNotEmpty();
        assertProblem(web.post(second + "/reset", "{\"events\":\"1\"}"), 400, "BAD_REQUEST", "$.events");
        assertProblem(web.post(second + "/reset", "{\"events\":10000}"), 409, "RESET_REFUSED", "");
        web.post("/workflows", "{\"type\":\"broken\",\"id\":\"retry\",\"input\":1}");
        web.get("/workflows/retry/result?wait=PT20S");
        ApiClient.Response retried = web.post("/workflows/retry/retry", null);
        assertThat(retried.status()).as(retried.body()).isEqualTo(200);
        assertThat(web.get("/workflows/retry").at("/runs").size()).isEqualTo(2);
    }

    @Test
    void batches() {
        waitingOrder("batch-1");
        waitingOrder("batch-2");
        ApiClient.Response answer = web.post(
                "/workflows/batch",
                "{\"action\":\"signal\",\"ids\":[\"batch-1\",\"none\",\"batch-2\",\"batch-1\"],\"name\":\"approve\","
                        + "\"arguments\":[\"ada\"],\"key\":\"k\"}");
        assertThat(answer.at("/results")).hasSize(3);
        assertThat(answer.at("/results/0/ok").asBoolean()).isTrue();
        assertThat(answer.at("/results/1/ok").asBoolean()).isFalse();
        assertThat(answer.text("/results/1/error/name")).isEqualTo("RUN_NOT_FOUND");
        assertThat(answer.at("/results/2/ok").asBoolean()).isTrue();
        assertProblem(
                web.post("/workflows/batch", "{\"action\":\"cancel\",\"ids\":[\"a\",1]}"),
                400,
                "BAD_REQUEST",
                "$.ids[1]");
        assertProblem(web.post("/workflows/batch", "{\"ids\":[]}"), 400, "BAD_REQUEST", "$.action");
        assertProblem(
                web.post("/workflows/batch", "{\"action\":\"delete\",\"ids\":[]}"), 400, "BAD_REQUEST", "$.action");
    }

    // ---- timers and schedules

    @Test
    void timers() {
        ApiClient.Response added = web.post(
                "/timers",
                "{\"handler\":\"remind\",\"in\":\"PT5H\",\"id\":\"t/1\",\"key\":\"k\",\"payload\":{\"a\":1}}");
        assertThat(added.status()).isEqualTo(201);
        assertThat(added.text("/status")).isEqualTo("PENDING");
        assertThat(web.get("/timers/t%2F1").text("/key")).isEqualTo("k");
        assertThat(web.get("/timers?handler=remind&status=PENDING&prefix=t")
                        .at("/items")
                        .size())
                .isEqualTo(1);
        assertThat(web.get("/timers?order=due&kind=timer").body()).contains("t/1");
        String moved = web.post("/timers/t%2F1/move", "{\"at\":\"2031-01-01T00:00:00+01:00\"}")
                .text("/fireAt");
        assertThat(moved).isEqualTo("2030-12-31T23:00:00Z");
        assertThat(web.post("/timers/t%2F1/fire", "").status()).isEqualTo(200);
        Awaitility.await().until(() -> web.get("/timers/t%2F1").text("/status").equals("FIRED"));
        assertProblem(web.post("/timers/t%2F1/fire", "{}"), 409, "TIMER_GONE", "");
        assertProblem(web.post("/timers/t%2F1/cancel", "{}"), 409, "TIMER_GONE", "");
        assertProblem(web.post("/timers/t%2F1/move", "{\"in\":\"PT1S\"}"), 409, "TIMER_GONE", "");
        String again = "{\"handler\":\"remind\",\"in\":\"PT5H\",\"id\":\"t-2\"}";
        assertThat(web.post("/timers", again).status()).isEqualTo(201);
        assertThat(web.post("/timers", again).status()).isEqualTo(200);
        assertThat(web.post("/timers/t-2/cancel", null).text("/status")).isEqualTo("CANCELLED");
        assertProblem(web.get("/timers/none"), 404, "TIMER_NOT_FOUND", "");
        assertProblem(web.post("/timers/none/move", "{\"in\":\"PT1S\"}"), 404, "TIMER_NOT_FOUND", "");
        assertProblem(web.post("/timers/none/cancel", null), 404, "TIMER_NOT_FOUND", "");
        assertProblem(web.post("/timers/none/fire", null), 404, "TIMER_NOT_FOUND", "");
        assertProblem(web.post("/timers", "{\"handler\":\"remind\"}"), 400, "BAD_REQUEST", "$.at");
        assertProblem(
                web.post("/timers", "{\"handler\":\"remind\",\"at\":\"+999999999-01-01T00:00:00Z\"}"),
                400,
                "INSTANT_OUT_OF_RANGE",
                "");
        assertProblem(web.get("/timers?order=size"), 400, "BAD_REQUEST", "?order");
        assertProblem(web.get("/timers?kind=egg"), 400, "BAD_REQUEST", "?kind");
        assertProblem(web.get("/timers?status=RUNNING"), 400, "BAD_REQUEST", "?status");
    }

    @Test
    void schedules() {
        String body = "{\"id\":\"nightly\",\"cron\":\"0 3 * * *\",\"zone\":\"Europe/Berlin\",\"workflow\":\"echo\","
                + "\"input\":[1],\"overlap\":\"SKIP\",\"catchUp\":\"all PT1H\"}";
        ApiClient.Response created = web.post("/schedules", body);
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(created.at("/next").size()).isEqualTo(5);
        assertProblem(web.post("/schedules", body), 409, "WORKFLOW_ID_TAKEN", "");
        assertThat(web.get("/schedules").body()).contains("nightly");
        String utc = "{\"id\":\"in-utc\",\"cron\":\"0 3 * * *\",\"timer\":\"remind\"}";
        assertThat(web.post("/schedules", utc).text("/next/0")).endsWith("T03:00:00Z");
        assertThat(web.get("/schedules/nightly").text("/catchUp")).isEqualTo("all PT1H");
        assertThat(web.post("/schedules/nightly/pause", "{\"note\":\"holidays\"}")
                        .at("/paused")
                        .asBoolean())
                .isTrue();
        assertThat(web.post("/schedules/nightly/resume", "").at("/paused").asBoolean())
                .isFalse();
        assertThat(web.post("/schedules/nightly/trigger", "").status()).isEqualTo(200);
        assertThat(web.post(
                                "/schedules/nightly/backfill",
                                "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-03T00:00:00Z\"}")
                        .status())
                .isEqualTo(200);
        ApiClient.Response put = web.send(
                "PUT", "/schedules/nightly", "{\"every\":\"PT1H\",\"timer\":\"remind\",\"payload\":{}}", ApiClient.OWN);
        assertThat(put.text("/every")).isEqualTo("PT1H");
        assertThat(web.get("/schedules/preview?cron=0%203%20*%20*%20*&zone=UTC")
                        .at("/next")
                        .size())
                .isEqualTo(5);
        assertThat(web.send("DELETE", "/schedules/nightly", null, ApiClient.OWN).status())
                .isEqualTo(200);
        assertProblem(web.send("DELETE", "/schedules/nightly", null, ApiClient.OWN), 404, "SCHEDULE_NOT_FOUND", "");
        for (String action : new String[] {"pause", "resume", "trigger"}) {
            assertProblem(web.post("/schedules/none/" + action, ""), 404, "SCHEDULE_NOT_FOUND", "");
        }
        assertProblem(web.get("/schedules/none"), 404, "SCHEDULE_NOT_FOUND", "");
        assertProblem(web.get("/schedules?page=1"), 400, "BAD_REQUEST", "?page");
        assertProblem(web.get("/schedules/preview?cron=x"), 400, "BAD_SCHEDULE", "");
        assertProblem(web.get("/schedules/preview?cron=0+3+*+*+*&zone=Moon"), 400, "BAD_REQUEST", "?zone");
        assertProblem(web.get("/schedules/preview?every=1h"), 400, "BAD_REQUEST", "?every");
        assertProblem(web.post("/schedules", "{\"id\":\"x\",\"every\":\"PT1H\"}"), 400, "BAD_REQUEST", "$.workflow");
        assertProblem(web.post("/schedules", "{\"id\":\"x\"}"), 400, "BAD_REQUEST", "$.cron");
        assertProblem(
                web.send(
                        "PUT", "/schedules/x", "{\"id\":\"y\",\"every\":\"PT1H\",\"timer\":\"remind\"}", ApiClient.OWN),
                400,
                "BAD_REQUEST",
                "$.id");
        assertProblem(
                web.post("/schedules/none/backfill", "{\"from\":\"2026\",\"to\":\"2027\"}"),
                400,
                "BAD_REQUEST",
                "$.from");
    }

    // ---- DAGs, events, approvals, activities

    @Test
    void dagsAndApprovals() {
        String dag = "{\"name\":\"nap\",\"steps\":[{\"id\":\"sleep\",\"sleep\":{\"for\":\"PT1H\"}}]}";
        assertThat(web.post("/dags/validate", dag).at("/steps").asInt()).isEqualTo(1);
        assertThat(web.send("PUT", "/dags/nap", dag, ApiClient.OWN).status()).isEqualTo(201);
        assertThat(web.send("PUT", "/dags/nap", dag, ApiClient.OWN).status()).isEqualTo(200);
        assertThat(web.get("/dags").body()).contains("\"nap\"").contains("\"release\"");
        assertThat(web.get("/dags/nap?version=1").text("/steps/0/id")).isEqualTo("sleep");
        ApiClient.Response started = web.post("/dags/release/start", "{\"id\":\"rel-1\",\"input\":{\"v\":1}}");
        assertThat(started.status()).as(started.body()).isEqualTo(201);
        Awaitility.await()
                .until(() -> web.get("/approvals?workflow=rel-1").at("/items").size() == 1);
        ApiClient.Response run = web.get("/workflows/rel-1/dag");
        assertThat(run.text("/mermaid")).startsWith("flowchart");
        assertThat(run.text("/state/steps/0/status")).isEqualTo("WAITING");
        String token = run.text("/approvals/0/token");
        assertThat(web.post("/approvals/" + token + "/approve", "{\"by\":\"ada\"}")
                        .status())
                .isEqualTo(200);
        assertProblem(web.post("/approvals/" + token + "/reject", "{}"), 409, "TOKEN_USED", "");
        assertProblem(web.post("/approvals/x/approve", "{}"), 400, "BAD_TOKEN", "");
        web.post("/dags/release/start", "{\"id\":\"rel-2\"}");
        Awaitility.await()
                .until(() -> web.get("/approvals?workflow=rel-2").at("/items").size() == 1);
        String second = web.get("/approvals?workflow=rel-2").text("/items/0/token");
        assertThat(web.post("/approvals/" + second + "/reject", "{\"comment\":\"no\"}")
                        .status())
                .isEqualTo(200);
        assertProblem(web.post("/approvals/" + token + "/approve", "{\"by\":1}"), 400, "BAD_REQUEST", "$.by");
        assertProblem(web.get("/approvals"), 400, "BAD_REQUEST", "?workflow");
        assertProblem(web.get("/approvals?workflow=none"), 404, "RUN_NOT_FOUND", "");
        assertProblem(web.get("/dags/none"), 404, "DAG_NOT_FOUND", "");
        assertProblem(web.get("/dags?x=1"), 400, "BAD_REQUEST", "?x");
        assertProblem(web.post("/dags/none/start", "{}"), 404, "DAG_NOT_FOUND", "");
        assertProblem(web.post("/dags/validate", "{\"name\":\"x\"}"), 400, "BAD_DAG", "");
        assertProblem(web.post("/dags/validate", "nonsense"), 400, "BAD_REQUEST", "$");
        assertProblem(web.send("PUT", "/dags/other", dag, ApiClient.OWN), 400, "BAD_REQUEST", "$.name");
        String changed = dag.replace("PT1H", "PT2H");
        assertProblem(web.send("PUT", "/dags/nap", changed, ApiClient.OWN), 409, "DAG_CHANGED", "");
    }

    @Test
    void events() {
        assertThat(web.post("/events", "{\"name\":\"paid\",\"payload\":{\"order\":1},\"key\":\"k1\"}")
                        .status())
                .isEqualTo(202);
        assertProblem(web.post("/events", "{\"payload\":1}"), 400, "BAD_REQUEST", "$.name");
        assertProblem(web.post("/events", "{\"name\":\"\"}"), 400, "BAD_ARGUMENT", "");
    }

    @Test
    void activities() {
        WorkflowHandle<String> run = shop.dormouse.start("handsOut", "out-1", String.class, "x");
        Awaitility.await().until(() -> shop.tokens.containsKey("out-1"));
        String token = shop.tokens.get("out-1");
        assertProblem(web.post("/activities/" + token + "/fail", "{}"), 400, "BAD_REQUEST", "$.message");
        assertThat(web.post("/activities/" + token + "/complete", "{\"result\":\"signed\"}")
                        .status())
                .isEqualTo(202);
        assertThat(run.result(Duration.ofSeconds(20))).isEqualTo("signed");
        assertProblem(web.post("/activities/" + token + "/complete", "{\"result\":1}"), 409, "TOKEN_USED", "");
        assertProblem(web.post("/activities/x/complete", "{}"), 400, "BAD_TOKEN", "");
        shop.dormouse.start("handsOut", "out-2", String.class, "x");
        Awaitility.await().until(() -> shop.tokens.containsKey("out-2"));
        assertThat(web.post("/activities/" + shop.tokens.get("out-2") + "/fail", "{\"message\":\"lost\"}")
                        .status())
                .isEqualTo(202);
        Awaitility.await().until(() -> web.get("/workflows/out-2").body().contains("lost"));
    }
}
