package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.inspect.HistoryEvent;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sleeps for invalid times, and sleeps whose end is moved. */
class HostileSleepsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Dag BY_DATA = Dag.workflow("d").sleep("a", "$.input.t").build();
    private static final Dag UNTIL_DATA =
            Dag.workflow("d").sleepUntil("a", "$.input.t").build();

    private static void fails(Dag dag, Object time) {
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Collections.singletonMap("t", time));
            assertThat(RefusalAssertions.refused("" + time, () -> DagScenario.result(run)))
                    .hasMessageContaining("step 'a' failed")
                    .hasMessageFindingMatch("\\$\\.input\\.t|maxSleep");
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.FAILED);
            assertThat(scenario.test().elapsed()).isZero();
        });
    }

    private static void takes(Dag dag, Object time, Duration expected) {
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Collections.singletonMap("t", time));
            DagScenario.result(run);
            assertThat(scenario.test().elapsed()).as("%s", time).isEqualTo(expected);
        });
    }

    @Test
    void invalidDurationsFailTheStepAtOnce() {
        for (Object time : Arrays.asList(
                0,
                -1,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                -0.5,
                1e30,
                new BigInteger("9".repeat(50)),
                "PT0S",
                "-PT1S",
                "PT-1S",
                "garbage",
                "",
                " ",
                "1000",
                "P366D",
                "P365DT0.001S",
                "PT999999999999999999H",
                "\u0000",
                true,
                null,
                List.of(),
                List.of(1),
                Map.of(),
                Map.of("t", 1),
                Duration.ofDays(365).toMillis() + 1)) {
            fails(BY_DATA, time);
        }
    }

    @Test
    void validDurationsAreSlept() {
        takes(BY_DATA, 1, Duration.ofMillis(1));
        takes(BY_DATA, 1000, SECOND);
        takes(BY_DATA, "PT1S", SECOND);
        takes(BY_DATA, "P365D", Duration.ofDays(365));
        takes(BY_DATA, Duration.ofDays(365).toMillis(), Duration.ofDays(365));
    }

    @Test
    void invalidInstantsFailTheStepAtOnce() {
        for (Object time : Arrays.asList(
                "garbage",
                "",
                "2030-01-01",
                "2030-13-01T00:00:00Z",
                "2030-02-30T00:00:00Z",
                "now",
                true,
                null,
                List.of(),
                Map.of(),
                Long.MAX_VALUE,
                1e300,
                new BigInteger("9".repeat(50)),
                "2031-01-01T00:00:00.001Z",
                "9999-12-30T23:59:59Z",
                "1893456000000")) {
            fails(UNTIL_DATA, time);
        }
    }

    @Test
    void pastInstantsEndTheSleepAtOnce() {
        for (Object time : Arrays.asList(
                "1970-01-01T00:00:00Z",
                "2029-12-31T23:59:59.999Z",
                "2030-01-01T00:00:00Z",
                "-999999999-01-01T00:00:00Z",
                1893456000000L)) {
            takes(UNTIL_DATA, time, Duration.ZERO);
        }
    }

    @Test
    void futureInstantsAreSleptUntil() {
        takes(UNTIL_DATA, "2030-01-01T00:00:01Z", SECOND);
        takes(UNTIL_DATA, 1893456001000L, SECOND);
        takes(UNTIL_DATA, "2031-01-01T00:00:00Z", Duration.ofDays(365));
    }

    @Test
    void fixedInstantsOfAnyTimeEndOrFail() {
        for (Instant past : List.of(Instant.EPOCH, Instant.parse("1970-01-01T00:00:01Z"))) {
            takes(Dag.workflow("d").sleepUntil("a", past).build(), 1, Duration.ZERO);
        }
        Instant far = Instant.parse("9999-12-30T23:59:59Z");
        DagScenario.play(Dag.workflow("d").sleepUntil("a", far).build(), scenario -> {
            DagRun run = scenario.start("d", null);
            assertThat(RefusalAssertions.refused("", () -> DagScenario.result(run)))
                    .hasMessageContaining("step 'a' failed");
        });
    }

    @Test
    void nextTimeOfACronIsLaterThanNow() {
        takes(cron("0 0 * * *", "UTC"), 1, DAY);
        takes(cron("* * * * * *", "UTC"), 1, SECOND);
        takes(cron("0 0 1 1 *", "UTC"), 1, Duration.ofDays(365));
        takes(cron("30 5 * * *", "Asia/Kathmandu"), 1, Duration.ofMinutes(23 * 60 + 45));
    }

    @Test
    void cronThatComesInMoreThanAYearFailsTheStep() {
        DagScenario.play(cron("0 0 29 2 *", "UTC"), scenario -> {
            DagRun run = scenario.start("d", null);
            assertThat(RefusalAssertions.refused("", () -> DagScenario.result(run)))
                    .hasMessageContaining("step 'a' failed")
                    .hasMessageContaining("maxSleep");
        });
    }

    private static Dag cron(String cron, String zone) {
        return Dag.workflow("d").sleepUntil("a", cron, ZoneId.of(zone)).build();
    }

    @Test
    void sleepsAboveThirtyDaysHaveAWarning() {
        DagScenario.play(BY_DATA, scenario -> {
            DagRun fine = scenario.dags().start("d", "fine", Map.of("t", "P30D"));
            DagRun warned = scenario.dags().start("d", "warned", Map.of("t", "P30DT1S"));
            scenario.advance(SECOND);
            assertThat(fine.state().step("a").note()).isEmpty();
            assertThat(warned.state().step("a").note()).isNotEmpty();
            assertThat(warned.toMermaid()).contains("SLEEPING");
        });
    }

    @Test
    void historyShowsEachSleepOnceHoweverOftenTheProcessDies() {
        DagScenario.play(BY_DATA, scenario -> {
            scenario.start("d", Map.of("t", "PT1H"));
            for (int i = 0; i < 10; i++) {
                scenario.advance(Duration.ofMinutes(5));
                scenario.crash();
            }
            DagRun run = scenario.find("d-1");
            assertThat(run.state().step("a").wakeAt()).contains(Instant.parse("2030-01-01T01:00:00Z"));
            DagScenario.result(run);
            assertThat(scenario.test().elapsed()).isEqualTo(Duration.ofHours(1));
            List<String> kinds =
                    run.handle().history().stream().map(HistoryEvent::kind).toList();
            assertThat(kinds).containsOnlyOnce("step.sleep.started").containsOnlyOnce("step.sleep.completed");
        });
    }

    @Test
    void invalidMovesAreRefused() {
        Dag dag = Dag.workflow("d")
                .sleep("a", DAY)
                .task("b", "echo")
                .waitForEvent("w", "ev", Map.of(), DAY)
                .task("c", "echo")
                .after("a")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            Instant now = scenario.test().now();
            for (String step : List.of("b", "c", "nobody", "", " ", "a b", "x".repeat(200), "\u0000")) {
                RefusalAssertions.refused("move " + step, () -> run.move(step, now.plus(DAY), "why"));
            }
            RefusalAssertions.refused("null", () -> run.move(null, now, "why"));
            RefusalAssertions.refused("null", () -> run.move("a", null, "why"));
            RefusalAssertions.refused("null", () -> run.move("a", now, null));
            RefusalAssertions.refused("far", () -> run.move("a", now.plus(Duration.ofDays(366)), "why"));
            RefusalAssertions.refused("farther", () -> run.move("a", Instant.MAX, "why"));
            assertThat(run.state().step("a").wakeAt()).contains(Instant.parse("2030-01-02T00:00:00Z"));
        });
    }

    @Test
    void lastMoveCounts() {
        DagScenario.play(BY_DATA, scenario -> {
            DagRun run = scenario.start("d", Map.of("t", "P10D"));
            scenario.advance(SECOND);
            Instant now = scenario.test().now();
            for (int i = 1; i <= 20; i++) {
                run.move("a", now.plus(Duration.ofHours(i)), "again " + "x".repeat(100));
            }
            scenario.crash();
            assertThat(scenario.find("d-1").state().step("a").wakeAt()).contains(now.plus(Duration.ofHours(20)));
            DagScenario.result(scenario.find("d-1"));
            assertThat(scenario.test().elapsed()).isEqualTo(Duration.ofHours(20).plus(SECOND));
            RefusalAssertions.refused("over", () -> scenario.find("d-1").move("a", now.plus(DAY), "late"));
        });
    }

    @Test
    void moveToThePastWakesAtOnce() {
        for (Instant past : List.of(Instant.EPOCH, Instant.parse("2030-01-01T00:00:00Z"))) {
            DagScenario.play(BY_DATA, scenario -> {
                DagRun run = scenario.start("d", Map.of("t", "P10D"));
                scenario.advance(SECOND);
                run.move("a", past, "now");
                DagScenario.result(run);
                assertThat(scenario.test().elapsed()).isEqualTo(SECOND);
            });
        }
    }

    @Test
    void manySleepsWakeInTheirOrder() {
        DagBuilder builder = Dag.workflow("d");
        for (int i = 0; i < 60; i++) {
            builder.sleep("s" + i, Duration.ofSeconds(1 + (i * 7) % 60))
                    .task("t" + i, "log")
                    .input((i * 7) % 60)
                    .after("s" + i);
        }
        DagScenario.play(builder.output(1).build(), scenario -> {
            scenario.start("d", null).result(DAY);
            List<Integer> order = scenario.log().stream()
                    .map(line -> Integer.parseInt(line.replaceAll("^\\d+ ", "")))
                    .toList();
            assertThat(order).hasSize(60).isSorted();
        });
    }
}
