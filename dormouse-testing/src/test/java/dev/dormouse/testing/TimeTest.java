package dev.dormouse.testing;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The passage of time in a {@link TestDormouse}. */
@Timeout(60)
class TimeTest {
    private final List<String> log = new ArrayList<>();

    private DormouseBuilder naps(DormouseBuilder builder) {
        return builder.workflow("nap", Duration.class, Instant.class, (ctx, duration) -> {
            ctx.step("before", () -> log.add("before"));
            ctx.sleep(duration);
            ctx.step("after", () -> log.add("after"));
            return ctx.now();
        });
    }

    private static WorkflowHandle<Instant> nap(Dormouse dormouse, String id, Duration duration) {
        return dormouse.start("nap", id, Instant.class, duration);
    }

    @Test
    void thirtyDaysPassInMilliseconds() {
        try (TestDormouse test = TestDormouse.open(this::naps)) {
            nap(test.dormouse(), "warm up", Duration.ofDays(1)).result();
            Instant before = test.now();
            long began = System.nanoTime();

            Instant end = nap(test.dormouse(), "nap", Duration.ofDays(30)).result();

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(500));
            assertThat(end).isEqualTo(before.plus(Duration.ofDays(30))).isEqualTo(test.now());
        }
    }

    @Test
    void timeStandsStillWhileTheTestDoesNotWait() {
        try (TestDormouse test = TestDormouse.open(this::naps)) {
            WorkflowHandle<Instant> handle = nap(test.dormouse(), "nap", Duration.ofSeconds(1));
            handle.describe();
            handle.history();
            assertThat(test.dormouse().find("nap", Instant.class)).isPresent();
            assertThat(test.elapsed()).isZero();
            assertThat(test.now()).isEqualTo(TestOptions.DEFAULT.startTime());
        }
    }

    @Test
    void advanceEndsWhenAllHasHappenedUpToAndAtItsInstant() {
        for (long seed = 1; seed <= 20; seed++) {
            log.clear();
            try (TestDormouse test = TestDormouse.open(TestOptions.DEFAULT.withSeed(seed), this::naps)) {
                nap(test.dormouse(), "nap", Duration.ofHours(1));
                test.advance(Duration.ZERO);
                assertThat(log).containsExactly("before");
                test.advance(Duration.ofHours(1).minusNanos(1_000));
                assertThat(log).containsExactly("before");
                test.advance(Duration.ofNanos(1_000));
                assertThat(log).containsExactly("before", "after");
                assertThat(test.elapsed()).isEqualTo(Duration.ofHours(1));
            }
        }
    }

    @Test
    void advanceToAnInstant() {
        Instant beginning = Instant.parse("2026-02-28T23:30:00Z");
        try (TestDormouse test = TestDormouse.open(TestOptions.DEFAULT.withStartTime(beginning), this::naps)) {
            nap(test.dormouse(), "nap", Duration.ofMinutes(30));
            test.advanceTo(Instant.parse("2026-03-01T00:00:00Z"));
            assertThat(log).containsExactly("before", "after");
            assertThat(test.now()).isEqualTo("2026-03-01T00:00:00Z");
            test.advanceTo(test.now());
        }
    }

    @Test
    void timersOfManyRunsFireInOrder() {
        Map<Instant, String> woken = new TreeMap<>();
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("nap", Integer.class, String.class, (ctx, days) -> {
                    ctx.sleep(Duration.ofDays(days));
                    Instant now = ctx.now();
                    ctx.step("note", () -> woken.put(now, "day " + days));
                    return "";
                }))) {
            for (int day = 200; day > 0; day--) {
                test.dormouse().start("nap", "nap-" + day, String.class, day);
            }
            test.advance(Duration.ofDays(200));
        }
        assertThat(woken.values()).hasSize(200).startsWith("day 1", "day 2").endsWith("day 200");
        assertThat(woken.keySet()).contains(TestOptions.DEFAULT.startTime().plus(Duration.ofDays(100)));
    }

    @Test
    void shortAndLongWaitsAreExact() {
        try (TestDormouse test = TestDormouse.open(this::naps)) {
            for (Duration time : List.of(
                    Duration.ofNanos(1_000),
                    Duration.ofMillis(1),
                    Duration.ofSeconds(3),
                    Duration.ofDays(366),
                    Duration.ofDays(9_000))) {
                Instant before = test.now();
                assertThat(nap(test.dormouse(), "nap " + time, time).result()).isEqualTo(before.plus(time));
            }
        }
    }

    @Test
    void delayedStartAndTimeouts() {
        try (TestDormouse test = TestDormouse.open(this::naps)) {
            StartOptions tomorrow =
                    StartOptions.DEFAULT.withStartDelay(Duration.ofDays(1)).withExecutionTimeout(Duration.ofHours(2));
            WorkflowHandle<Instant> handle =
                    test.dormouse().start("nap", "nap", tomorrow, Instant.class, Duration.ofDays(9));
            assertThatThrownBy(handle::result)
                    .isInstanceOfSatisfying(
                            DormouseException.class,
                            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.RUN_TIMED_OUT));
            assertThat(test.elapsed()).isEqualTo(Duration.ofHours(26));
        }
    }

    @Test
    void waitWithALimitEndsAtTheLimit() {
        try (TestDormouse test = TestDormouse.open(this::naps)) {
            WorkflowHandle<Instant> handle = nap(test.dormouse(), "nap", Duration.ofDays(30));
            Throwable problem = catchThrowable(() -> handle.result(Duration.ofDays(29)));
            assertClear(problem, ErrorCode.RESULT_TIMEOUT);
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(29));
        }
    }

    @Test
    void activitiesMayTakeTime() {
        TestDormouse[] self = new TestDormouse[1];
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("slow", String.class, String.class, (ctx, input) -> {
                    ctx.step("slow", () -> self[0].advance(Duration.ofMinutes(10)));
                    return "done";
                }))) {
            self[0] = test;
            WorkflowHandle<String> handle = test.dormouse().start("slow", "slow", String.class, "");
            test.advance(Duration.ofMinutes(9));
            assertThat(handle.describe().status().isClosed()).isFalse();
            test.advance(Duration.ofMinutes(1));
            assertThat(handle.describe().status().isClosed()).isTrue();
        }
    }

    @Test
    void settingsOfProductionDoNotSlowTheTestDown() {
        try (TestDormouse test = TestDormouse.open(builder -> naps(builder)
                .store("sqlite:no-such-directory/no.db")
                .leasePeriod(Duration.ofSeconds(1))
                .sweepInterval(Duration.ofMillis(100)))) {
            long began = System.nanoTime();
            nap(test.dormouse(), "nap", Duration.ofDays(3_000)).result();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void badTimesAreRefused() {
        try (TestDormouse test = TestDormouse.open(this::naps)) {
            assertClear(catchThrowable(() -> test.advance(Duration.ofNanos(-1))), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> test.advance(Duration.ofDays(36_501))), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> test.advance(Duration.ofSeconds(Long.MAX_VALUE))), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> test.advanceTo(test.now().minusMillis(1))), ErrorCode.BAD_ARGUMENT);
            assertClear(catchThrowable(() -> test.advanceTo(Instant.MAX)), ErrorCode.BAD_ARGUMENT);
            assertThat(test.elapsed()).isZero();
        }
        assertClear(catchThrowable(() -> TestOptions.DEFAULT.withTimeout(Duration.ZERO)), ErrorCode.BAD_ARGUMENT);
        assertClear(catchThrowable(() -> TestOptions.DEFAULT.withStartTime(Instant.MIN)), ErrorCode.BAD_ARGUMENT);
    }
}
