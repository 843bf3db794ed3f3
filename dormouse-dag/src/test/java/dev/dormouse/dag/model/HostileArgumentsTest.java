package dev.dormouse.dag.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A builder refuses any argument with a proper error message, or builds a DAG that can be written and read. */
class HostileArgumentsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Returns all builder methods that take a text. */
    private static Map<String, BiFunction<DagBuilder, String, DagBuilder>> texts() {
        Map<String, BiFunction<DagBuilder, String, DagBuilder>> calls = new TreeMap<>();
        calls.put("task id", (dag, text) -> dag.task(text, "x"));
        calls.put("task activity", (dag, text) -> dag.task("a", text));
        calls.put("sleep id", (dag, text) -> dag.sleep(text, SECOND));
        calls.put("sleep path", (dag, text) -> dag.sleep("a", text));
        calls.put("sleepUntil path", (dag, text) -> dag.sleepUntil("a", text));
        calls.put("sleepUntil cron", (dag, text) -> dag.sleepUntil("a", text, ZoneOffset.UTC));
        calls.put("sleepUntil id", (dag, text) -> dag.sleepUntil(text, Instant.EPOCH));
        calls.put("wait id", (dag, text) -> dag.waitForEvent(text, "e", Map.of(), SECOND));
        calls.put("wait event", (dag, text) -> dag.waitForEvent("a", text, Map.of(), SECOND));
        calls.put("approval id", (dag, text) -> dag.approval(text, SECOND));
        calls.put("ask", (dag, text) -> dag.approval("a", SECOND).ask(text));
        calls.put("map id", (dag, text) -> dag.map(text, "x", "$.input"));
        calls.put("map activity", (dag, text) -> dag.map("a", text, "$.input"));
        calls.put("map over", (dag, text) -> dag.map("a", "x", text));
        calls.put("subWorkflow", (dag, text) -> dag.subWorkflow("a", text));
        calls.put("subWorkflow id", (dag, text) -> dag.subWorkflow(text, "x"));
        calls.put("subWorkflowType", (dag, text) -> dag.subWorkflowType("a", text));
        calls.put("subWorkflowType id", (dag, text) -> dag.subWorkflowType(text, "a"));
        calls.put("after", (dag, text) -> dag.task("a", "x").after(text));
        calls.put("onFailure", (dag, text) -> dag.task("a", "x").onFailure(text));
        calls.put("compensate", (dag, text) -> dag.task("a", "x").compensate(text));
        calls.put("rateLimit key", (dag, text) -> dag.task("a", "x").rateLimit(1, SECOND, text));
        calls.put("idempotencyKey", (dag, text) -> dag.idempotencyKey(text).task("a", "x"));
        calls.put("cancelOn", (dag, text) -> dag.cancelOn(text, Map.of()).task("a", "x"));
        calls.put(
                "condition",
                (dag, text) -> dag.task("a", "x").skipIf(Condition.at(text).exists()));
        return calls;
    }

    private static void build(DagBuilder builder) {
        Dag dag = builder.build();
        assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
        assertThat(dag.toMermaid()).isNotEmpty();
        assertThat(dag.toString()).isNotEmpty();
    }

    @Test
    void oddTextsAreRefusedOrKept() {
        texts().forEach((name, call) -> RefusalAssertions.ODD.forEach(text -> RefusalAssertions.succeedsOrIsRefused(
                name + " '" + text + "'", () -> build(call.apply(Dag.workflow("d"), text)))));
    }

    @Test
    void nullIsRefused() {
        texts().forEach((name, call) -> RefusalAssertions.refused(
                name, () -> call.apply(Dag.workflow("d"), null).build()));
    }

    @Test
    void namesOfTenThousandCharactersAreRefused() {
        Map<String, BiFunction<DagBuilder, String, DagBuilder>> calls = texts();
        calls.remove("ask"); // see HostileBuilderTest
        calls.forEach((name, call) -> RefusalAssertions.refused(
                name, () -> call.apply(Dag.workflow("d"), "x".repeat(10_000)).build()));
    }

    @Test
    void namesOfDagsAreCheckedToo() {
        RefusalAssertions.ODD.forEach(name -> RefusalAssertions.succeedsOrIsRefused(
                "name '" + name + "'", () -> build(Dag.workflow(name).task("a", "x"))));
        RefusalAssertions.refused(
                "name", () -> Dag.workflow(null).task("a", "x").build());
        for (String bad : List.of("", " x", "a:b", "a\nb", "a\u0000", "😀", "x".repeat(101))) {
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG, () -> Dag.workflow(bad).task("a", "x").build());
        }
    }

    @Test
    void nullObjectsAreRefused() {
        Map<String, UnaryOperator<DagBuilder>> calls = new HashMap<>();
        calls.put("sleep", dag -> dag.sleep("a", (Duration) null));
        calls.put("sleepUntil", dag -> dag.sleepUntil("a", (Instant) null));
        calls.put("cron zone", dag -> dag.sleepUntil("a", "* * * * *", null));
        calls.put("match", dag -> dag.waitForEvent("a", "e", null, SECOND));
        calls.put("match key", dag -> dag.waitForEvent("a", "e", Collections.singletonMap(null, 1), SECOND));
        calls.put("timeout of wait", dag -> dag.waitForEvent("a", "e", Map.of(), null));
        calls.put("timeout of approval", dag -> dag.approval("a", null));
        calls.put("timeout", dag -> dag.task("a", "x").timeout(null));
        calls.put("retry", dag -> dag.task("a", "x").retry(null));
        calls.put("skipIf", dag -> dag.task("a", "x").skipIf(null));
        calls.put("after one", dag -> dag.task("a", "x").after("b", null));
        calls.put("period", dag -> dag.task("a", "x").rateLimit(1, null));
        calls.put("period with key", dag -> dag.task("a", "x").rateLimit(1, null, "$.input"));
        calls.put("runTimeout", dag -> dag.runTimeout(null).task("a", "x"));
        calls.put("maxSleep", dag -> dag.maxSleep(null).task("a", "x"));
        calls.put("cancelOn match", dag -> dag.cancelOn("e", null).task("a", "x"));
        calls.put("no steps", dag -> dag);
        calls.put("not", dag -> dag.task("a", "x").skipIf(Condition.not(null)));
        calls.put("all", dag -> dag.task("a", "x").skipIf(Condition.all((Condition[]) null)));
        calls.put("any", dag -> dag.task("a", "x").skipIf(Condition.any()));
        calls.put("any null", dag -> dag.task("a", "x").skipIf(Condition.any((Condition) null)));
        calls.put(
                "isIn", dag -> dag.task("a", "x").skipIf(Condition.at("$.input").isIn(null)));
        calls.put(
                "isAbove",
                dag -> dag.task("a", "x").skipIf(Condition.at("$.input").isAbove(null)));
        calls.forEach((name, call) -> RefusalAssertions.refused(
                name, () -> call.apply(Dag.workflow("d")).build()));
    }

    @Test
    void stepConfigurationWithoutAStepIsRefused() {
        List<UnaryOperator<DagBuilder>> calls = List.of(
                dag -> dag.after("a"),
                dag -> dag.input(1),
                dag -> dag.timeout(SECOND),
                dag -> dag.retry(RetryPolicy.NONE),
                dag -> dag.skipIf(Condition.at("$.input").exists()),
                dag -> dag.onFailure("a"),
                dag -> dag.compensate("a"),
                dag -> dag.rateLimit(1, SECOND),
                dag -> dag.concurrency(1),
                dag -> dag.ask("a"),
                dag -> dag.limit(1),
                dag -> dag.parallelism(1));
        calls.forEach(call -> RefusalAssertions.refused(ErrorCode.BAD_DAG, () -> call.apply(Dag.workflow("d"))));
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        for (int bad : new int[] {0, -1, Integer.MIN_VALUE}) {
            List<UnaryOperator<DagBuilder>> calls = List.of(
                    dag -> dag.version(bad).task("a", "x"),
                    dag -> dag.runLimit(bad).task("a", "x"),
                    dag -> dag.task("a", "x").concurrency(bad),
                    dag -> dag.task("a", "x").rateLimit(bad, SECOND),
                    dag -> dag.map("a", "x", "$.input").parallelism(bad),
                    dag -> dag.map("a", "x", "$.input").limit(bad));
            calls.forEach(call -> RefusalAssertions.refused(
                    ErrorCode.BAD_DAG, () -> call.apply(Dag.workflow("d")).build()));
        }
    }

    @Test
    void durationsOutOfRangeAreRefused() {
        for (Duration bad : List.of(
                Duration.ZERO,
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofDays(4_000))) {
            List<UnaryOperator<DagBuilder>> calls = List.of(
                    dag -> dag.sleep("a", bad),
                    dag -> dag.waitForEvent("a", "e", Map.of(), bad),
                    dag -> dag.approval("a", bad),
                    dag -> dag.task("a", "x").timeout(bad),
                    dag -> dag.task("a", "x").rateLimit(1, bad),
                    dag -> dag.runTimeout(bad).task("a", "x"),
                    dag -> dag.maxSleep(bad).task("a", "x"));
            calls.forEach(call -> RefusalAssertions.refused(
                    ErrorCode.BAD_DAG, () -> call.apply(Dag.workflow("d")).build()));
        }
    }

    @Test
    void sleepsAreAtMostAYearUnlessTheDagSaysOtherwise() {
        Duration year = Duration.ofDays(365);
        build(Dag.workflow("d").sleep("a", year));
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d").sleep("a", year.plusNanos(1)).build());
        build(Dag.workflow("d").sleep("a", year.plusNanos(1)).maxSleep(year.plusDays(1)));
        RefusalAssertions.refused(
                ErrorCode.BAD_DAG,
                () -> Dag.workflow("d")
                        .sleep("a", SECOND.plusNanos(1))
                        .maxSleep(SECOND)
                        .build());
    }

    @Test
    void invalidCronsAreRefused() {
        for (String bad : List.of(
                "",
                "* * * *",
                "* * * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "0 0 30 2 *",
                "0 0 31 4,6,9,11 *",
                "* * * 13 *",
                "* * * * MOON",
                "*/0 * * * *",
                "5-1-2 * * * *",
                "99999999999 * * * *",
                "-1 * * * *",
                "@daily@",
                "* * * * *\u0000",
                "* ".repeat(5_000))) {
            RefusalAssertions.refused(
                    ErrorCode.BAD_DAG,
                    () -> Dag.workflow("d")
                            .sleepUntil("a", bad, ZoneId.of("Europe/Berlin"))
                            .build());
        }
    }

    @Test
    void valuesThatAreNotJsonAreRefused() {
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        Map<Object, Object> numbers = new HashMap<>(Map.of(1, 2));
        List<Object> data = Arrays.asList(
                new Object(),
                Thread.currentThread(),
                numbers,
                new int[] {1},
                Instant.EPOCH,
                StandIn.ONE,
                'c',
                1.5f,
                Double.MIN_VALUE,
                new byte[10],
                Collections.singletonMap(null, 1),
                deep(200),
                deep(5_000),
                itself);
        for (Object each : data) {
            String what = each.getClass() + "";
            RefusalAssertions.succeedsOrIsRefused(
                    what, () -> build(Dag.workflow("d").task("a", "x").input(each)));
            RefusalAssertions.succeedsOrIsRefused(
                    what, () -> build(Dag.workflow("d").task("a", "x").output(each)));
            RefusalAssertions.succeedsOrIsRefused(
                    what,
                    () -> build(Dag.workflow("d").waitForEvent("a", "e", Collections.singletonMap("k", each), SECOND)));
            RefusalAssertions.succeedsOrIsRefused(
                    what,
                    () -> build(Dag.workflow("d")
                            .task("a", "x")
                            .skipIf(Condition.at("$.input").is(each))));
        }
    }

    private enum StandIn {
        ONE
    }

    private static Object deep(int levels) {
        Object value = 1;
        for (int i = 0; i < levels; i++) {
            value = List.of(value);
        }
        return value;
    }

    @Test
    void reusedBuilderDoesNotChangeWhatItBuilt() {
        DagBuilder builder = Dag.workflow("d").task("a", "x");
        Dag one = builder.build();
        String json = one.toJson();
        Dag two = builder.task("b", "x").after("a").build();
        assertThat(one.toJson()).isEqualTo(json);
        assertThat(two).isNotEqualTo(one);
    }

    @Test
    void laterChangesOfTheDataHaveNoEffect() {
        List<Object> list = new ArrayList<>(List.of(1));
        Map<String, Object> match = new HashMap<>(Map.of("a", 1));
        Dag dag = Dag.workflow("d")
                .task("a", "x")
                .input(list)
                .skipIf(Condition.at("$.input").is(list))
                .waitForEvent("b", "e", match, SECOND)
                .cancelOn("e", match)
                .output(list)
                .build();
        String json = dag.toJson();
        list.add(2);
        match.put("b", 1);
        assertThat(dag.toJson()).isEqualTo(json);
    }
}
