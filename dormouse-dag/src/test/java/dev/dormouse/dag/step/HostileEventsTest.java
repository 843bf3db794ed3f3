package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RefusalAssertions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events with all kinds of JSON payloads, and their match conditions. */
class HostileEventsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Map<String, Object> TIMEOUT = Map.of("timeout", true);

    private static Dag waits(Map<String, ?> match) {
        return Dag.workflow("w").waitForEvent("e", "ev", match, HOUR).build();
    }

    /** Returns the output of a run that waits with this match, after these payloads are published. */
    private static Object got(Map<String, ?> match, Object input, Object... published) {
        try (DagScenario scenario = DagScenario.of(waits(match))) {
            DagRun run = scenario.start("w", input);
            scenario.advance(SECOND);
            Arrays.stream(published).forEach(each -> scenario.dormouse().publish("ev", each));
            return DagScenario.result(run).get("e");
        }
    }

    private static Map<String, Object> one(String key, Object value) {
        return Collections.singletonMap(key, value);
    }

    private static void matches(Object wanted, Object there) {
        assertThat(got(one("k", wanted), null, one("k", there)))
                .as("%s for %s", there, wanted)
                .isNotEqualTo(TIMEOUT);
        assertThat(got(Map.of("k", "$.input.v"), one("v", wanted), one("k", there)))
                .as("%s for %s by path", there, wanted)
                .isNotEqualTo(TIMEOUT);
    }

    private static void differs(Object wanted, Object there) {
        assertThat(got(one("k", wanted), null, one("k", there)))
                .as("%s for %s", there, wanted)
                .isEqualTo(TIMEOUT);
        assertThat(got(Map.of("k", "$.input.v"), one("v", wanted), one("k", there)))
                .as("%s for %s by path", there, wanted)
                .isEqualTo(TIMEOUT);
    }

    @Test
    void payloadsOfAllKindsArrive() {
        for (Object payload : Arrays.asList(
                "",
                "text",
                "\u0000",
                "😀",
                0,
                -1,
                1.5,
                Long.MAX_VALUE,
                new BigInteger("123456789012345678901234567890"),
                true,
                false,
                List.of(),
                List.of(1, List.of(2, Map.of("a", List.of()))),
                Map.of(),
                Map.of("", ""),
                Map.of("timeout", true),
                "x".repeat(100_000))) {
            assertThat(got(Map.of(), null, payload)).isEqualTo(payload);
        }
        assertThat(got(Map.of(), null, (Object) null)).isNull();
    }

    @Test
    void valuesOfDifferentKindsAreDifferent() {
        differs(1, "1");
        differs(true, "true");
        differs("true", true);
        differs(1, true);
        differs(0, false);
        differs("", 0);
        differs("null", null);
        differs(null, "null");
        differs(null, "");
        differs("", null);
        differs(null, false);
    }

    @Test
    void valuesAreComparedAsTheyAre() {
        differs("a", "A");
        differs("a", "a ");
        differs("é", "e\u0301");
        differs("ß", "ss");
        differs(1, 2);
        differs(1, 1.5);
        differs(9_007_199_254_740_993L, 9_007_199_254_740_992L);
        matches("é", "é");
        matches("😀", "😀");
        matches("a\u0000b", "a\u0000b");
        matches("$", "$");
        matches("x".repeat(10_000), "x".repeat(10_000));
        matches(true, true);
        matches(false, false);
        matches(Long.MIN_VALUE, Long.MIN_VALUE);
        matches(0.1, 0.1);
        matches(-1, -1);
    }

    @Test
    void numbersAreEqualByTheirValue() {
        matches(1, 1.0);
        matches(1.0, 1);
        matches(1L, 1);
        matches(100, 1e2);
        matches(new BigDecimal("1.10"), new BigDecimal("1.1"));
    }

    @Test
    void nullDiffersFromAMissingValue() {
        matches(null, null);
        assertThat(got(one("k", null), null, Map.of(), Map.of("j", 1))).isEqualTo(TIMEOUT);
    }

    @Test
    void pathsLeadIntoArraysAndObjects() {
        Object payload = Map.of("a", List.of(List.of(0, Map.of("b c", 7)), "x"), "a.b", 3);
        assertThat(got(Map.of("a.0.1.b c", 7), null, payload)).isEqualTo(payload);
        assertThat(got(Map.of("a.1", "x"), null, payload)).isEqualTo(payload);
        assertThat(got(Map.of("a.0.1.b c", 8), null, payload)).isEqualTo(TIMEOUT);
        assertThat(got(Map.of("a.2", "x"), null, payload)).isEqualTo(TIMEOUT);
        assertThat(got(Map.of("a.0.b", 7), null, payload)).isEqualTo(TIMEOUT);
        assertThat(got(Map.of("a.b", 3), null, payload)).isEqualTo(TIMEOUT);
    }

    @Test
    void payloadsThatAreNotObjectsMatchNoPath() {
        for (Object payload : Arrays.asList(null, "k", 1, true, List.of("k"), List.of(Map.of("k", 1)))) {
            assertThat(got(Map.of("k", 1), null, payload)).isEqualTo(TIMEOUT);
        }
        assertThat(got(Map.of("0.k", 1), null, List.of(Map.of("k", 1)))).isEqualTo(List.of(Map.of("k", 1)));
    }

    @Test
    void allValuesOfAMatchAreRequired() {
        Map<String, Object> both = Map.of("a", 1, "b", "$.input.b");
        assertThat(got(both, Map.of("b", 2), Map.of("a", 1), Map.of("b", 2), Map.of("a", 2, "b", 1)))
                .isEqualTo(TIMEOUT);
        Map<String, Object> right = Map.of("a", 1, "b", 2, "c", 3);
        assertThat(got(both, Map.of("b", 2), Map.of("a", 1), right)).isEqualTo(right);
    }

    @Test
    void missingPathOfAMatchFailsTheStepAndIsNamed() {
        try (DagScenario scenario = DagScenario.of(waits(Map.of("k", "$.input.no.where")))) {
            DagRun run = scenario.start("w", Map.of());
            assertThat(RefusalAssertions.refused("", () -> DagScenario.result(run)))
                    .hasMessageContaining("$.input");
        }
    }

    @Test
    void hundredsOfValuesCanBeMatched() {
        Map<String, Object> payload = new HashMap<>();
        for (int i = 0; i < 999; i++) {
            payload.put("k" + i, i);
        }
        assertThat(got(Map.of("k998", 998), null, payload)).isEqualTo(payload);
    }

    @Test
    void moreThanThousandValuesArriveOrAreRefused() {
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(i);
        }
        RefusalAssertions.succeedsOrIsRefused(
                "5,000 values", () -> assertThat(got(Map.of(), null, many)).isEqualTo(many));
        RefusalAssertions.succeedsOrIsRefused(
                "5,000 values with a match",
                () -> assertThat(got(Map.of("[7]", 7), null, many)).isEqualTo(many));
    }

    @Test
    void oddNamesOfEventsArriveOrAreRefused() {
        for (String name : RefusalAssertions.ODD) {
            RefusalAssertions.succeedsOrIsRefused("event " + name, () -> {
                Dag dag = Dag.workflow("w")
                        .waitForEvent("e", name, Map.of(), HOUR)
                        .build();
                try (DagScenario scenario = DagScenario.of(dag)) {
                    DagRun run = scenario.start("w", null);
                    scenario.advance(SECOND);
                    scenario.dormouse().publish(name, 7);
                    assertThat(DagScenario.result(run)).isEqualTo(Map.of("e", 7));
                }
            });
        }
    }

    @Test
    void eventAtTheInstantOfTheTimeoutIsReceivedOrTimesOut() {
        try (DagScenario scenario = DagScenario.of(waits(Map.of()))) {
            DagRun run = scenario.start("w", null);
            scenario.advance(SECOND);
            scenario.advance(HOUR.minus(SECOND).minusMillis(1));
            scenario.dormouse().publish("ev", 7);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("e", 7));
            DagRun late = scenario.dags().start("w", "late", null);
            assertThat(DagScenario.result(late)).isEqualTo(Map.of("e", 7));
        }
    }

    @Test
    void eventAtTheInstantOfTheStartIsNotLost() {
        try (DagScenario scenario = DagScenario.of(waits(Map.of()))) {
            DagRun run = scenario.start("w", null);
            scenario.dormouse().publish("ev", 7);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("e", 7));
        }
    }

    @Test
    void firstOfManyEventsCountsAndOnlyOnce() {
        Dag dag = Dag.workflow("w")
                .waitForEvent("a", "ev", Map.of(), HOUR)
                .waitForEvent("b", "ev", Map.of(), HOUR)
                .build();
        try (DagScenario scenario = DagScenario.of(dag)) {
            DagRun run = scenario.start("w", null);
            scenario.advance(SECOND);
            for (int i = 0; i < 100; i++) {
                scenario.dormouse().publish("ev", i);
            }
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("a", 0, "b", 0));
        }
    }

    @Test
    void eventsSurviveACrash() {
        try (DagScenario scenario = DagScenario.of(waits(Map.of("k", 1)))) {
            scenario.dormouse().publish("ev", Map.of("k", 1));
            scenario.crash();
            scenario.start("w", null);
            scenario.crash();
            assertThat(DagScenario.result(scenario.find("w-1"))).isEqualTo(Map.of("e", Map.of("k", 1)));
        }
    }

    @Test
    void cancelOnLooksAtItsMatchOnly() {
        Dag dag = Dag.workflow("w")
                .sleep("a", HOUR)
                .cancelOn("stop", Map.of("order.id", "$.input.id"))
                .build();
        try (DagScenario scenario = DagScenario.of(dag)) {
            DagRun one = scenario.dags().start("w", "one", Map.of("id", 1));
            DagRun two = scenario.dags().start("w", "two", Map.of("id", "1"));
            scenario.advance(SECOND);
            scenario.dormouse().publish("stop", Map.of("order", Map.of("id", 1)));
            scenario.dormouse().publish("stop", null);
            scenario.advance(SECOND);
            assertThat(one.handle().describe().status().isClosed()).isTrue();
            assertThat(two.handle().describe().status().isClosed()).isFalse();
            DagScenario.result(two);
        }
    }
}
