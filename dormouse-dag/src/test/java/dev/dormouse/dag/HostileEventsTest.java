package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Events with all that JSON has, and what they must hold. */
class HostileEventsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Map<String, Object> TIMEOUT = Map.of("timeout", true);

    private static Dag waits(Map<String, ?> match) {
        return Dag.workflow("w").waitForEvent("e", "ev", match, HOUR).build();
    }

    /** What a run that waits so gets, if that is published. */
    private static Object got(Map<String, ?> match, Object input, Object... published) {
        try (DagStory story = DagStory.of(waits(match))) {
            DagRun run = story.start("w", input);
            story.advance(SECOND);
            Arrays.stream(published).forEach(each -> story.dormouse().publish("ev", each));
            return DagStory.result(run).get("e");
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
    void nullIsSomethingOtherThanNothing() {
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
    void payloadsThatAreNoObjectsMatchNothingThatLooksInside() {
        for (Object payload : Arrays.asList(null, "k", 1, true, List.of("k"), List.of(Map.of("k", 1)))) {
            assertThat(got(Map.of("k", 1), null, payload)).isEqualTo(TIMEOUT);
        }
        assertThat(got(Map.of("0.k", 1), null, List.of(Map.of("k", 1)))).isEqualTo(List.of(Map.of("k", 1)));
    }

    @Test
    void allThatIsAskedForMustBeThere() {
        Map<String, Object> both = Map.of("a", 1, "b", "$.input.b");
        assertThat(got(both, Map.of("b", 2), Map.of("a", 1), Map.of("b", 2), Map.of("a", 2, "b", 1)))
                .isEqualTo(TIMEOUT);
        Map<String, Object> right = Map.of("a", 1, "b", 2, "c", 3);
        assertThat(got(both, Map.of("b", 2), Map.of("a", 1), right)).isEqualTo(right);
    }

    @Test
    void pathOfAMatchThatLeadsNowhereFailsTheStepByName() {
        try (DagStory story = DagStory.of(waits(Map.of("k", "$.input.no.where")))) {
            DagRun run = story.start("w", Map.of());
            assertThat(Sentence.refused("", () -> DagStory.result(run))).hasMessageContaining("$.input");
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
        Sentence.goesWellOrIsRefused(
                "5,000 values", () -> assertThat(got(Map.of(), null, many)).isEqualTo(many));
        Sentence.goesWellOrIsRefused(
                "5,000 values with a match",
                () -> assertThat(got(Map.of("[7]", 7), null, many)).isEqualTo(many));
    }

    @Test
    void oddNamesOfEventsArriveOrAreRefused() {
        for (String name : Sentence.ODD) {
            Sentence.goesWellOrIsRefused("event " + name, () -> {
                Dag dag = Dag.workflow("w")
                        .waitForEvent("e", name, Map.of(), HOUR)
                        .build();
                try (DagStory story = DagStory.of(dag)) {
                    DagRun run = story.start("w", null);
                    story.advance(SECOND);
                    story.dormouse().publish(name, 7);
                    assertThat(DagStory.result(run)).isEqualTo(Map.of("e", 7));
                }
            });
        }
    }

    @Test
    void eventAtTheVeryInstantOfTheTimeoutIsOneOfTheTwo() {
        try (DagStory story = DagStory.of(waits(Map.of()))) {
            DagRun run = story.start("w", null);
            story.advance(SECOND);
            story.advance(HOUR.minus(SECOND).minusMillis(1));
            story.dormouse().publish("ev", 7);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("e", 7));
            DagRun late = story.dags().start("w", "late", null);
            assertThat(DagStory.result(late)).isEqualTo(Map.of("e", 7));
        }
    }

    @Test
    void eventAtTheInstantOfTheStartIsNotLost() {
        try (DagStory story = DagStory.of(waits(Map.of()))) {
            DagRun run = story.start("w", null);
            story.dormouse().publish("ev", 7);
            assertThat(DagStory.result(run)).isEqualTo(Map.of("e", 7));
        }
    }

    @Test
    void firstOfManyEventsCountsAndOnlyOnce() {
        Dag dag = Dag.workflow("w")
                .waitForEvent("a", "ev", Map.of(), HOUR)
                .waitForEvent("b", "ev", Map.of(), HOUR)
                .build();
        try (DagStory story = DagStory.of(dag)) {
            DagRun run = story.start("w", null);
            story.advance(SECOND);
            for (int i = 0; i < 100; i++) {
                story.dormouse().publish("ev", i);
            }
            assertThat(DagStory.result(run)).isEqualTo(Map.of("a", 0, "b", 0));
        }
    }

    @Test
    void eventsSurviveTheProcess() {
        try (DagStory story = DagStory.of(waits(Map.of("k", 1)))) {
            story.dormouse().publish("ev", Map.of("k", 1));
            story.crash();
            story.start("w", null);
            story.crash();
            assertThat(DagStory.result(story.find("w-1"))).isEqualTo(Map.of("e", Map.of("k", 1)));
        }
    }

    @Test
    void cancelOnLooksAtItsMatchOnly() {
        Dag dag = Dag.workflow("w")
                .sleep("a", HOUR)
                .cancelOn("stop", Map.of("order.id", "$.input.id"))
                .build();
        try (DagStory story = DagStory.of(dag)) {
            DagRun one = story.dags().start("w", "one", Map.of("id", 1));
            DagRun two = story.dags().start("w", "two", Map.of("id", "1"));
            story.advance(SECOND);
            story.dormouse().publish("stop", Map.of("order", Map.of("id", 1)));
            story.dormouse().publish("stop", null);
            story.advance(SECOND);
            assertThat(one.handle().describe().status().isClosed()).isTrue();
            assertThat(two.handle().describe().status().isClosed()).isFalse();
            DagStory.result(two);
        }
    }
}
