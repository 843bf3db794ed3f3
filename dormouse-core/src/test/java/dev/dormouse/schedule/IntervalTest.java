package dev.dormouse.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntervalTest {
    private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:00.5Z");

    @Test
    void anchorIsTheFirst() {
        Interval interval = new Interval(Duration.ofMinutes(7), ANCHOR);
        assertThat(interval.next(Instant.MIN)).contains(ANCHOR);
        assertThat(interval.next(ANCHOR.minusNanos(1))).contains(ANCHOR);
        assertThat(interval.next(ANCHOR)).contains(ANCHOR.plusSeconds(7 * 60));
        assertThat(interval.next(ANCHOR.plusNanos(1))).contains(ANCHOR.plusSeconds(7 * 60));
    }

    @Test
    void instantsDoNotDriftHoweverLateOneAsks() {
        Duration every = Duration.ofNanos(1_234_567_891);
        Interval interval = new Interval(every, ANCHOR);
        Random random = new Random(1);
        for (int round = 0; round < 10_000; round++) {
            long passed = random.nextInt(1_000_000_000);
            Instant expected = ANCHOR.plus(every.multipliedBy(passed + 1));
            Instant late = expected.minusNanos(1 + random.nextInt(1_234_567_891));
            assertThat(interval.next(late)).contains(expected);
        }
    }

    @Test
    void successiveInstantsAreOneIntervalApart() {
        Interval interval = new Interval(Duration.ofSeconds(1), ANCHOR);
        Instant expected = ANCHOR;
        for (Instant instant : Firings.next(10_000, interval, Instant.MIN)) {
            assertThat(instant).isEqualTo(expected);
            expected = expected.plusSeconds(1);
        }
    }

    @Test
    void nothingIsBehindTheEndOfTime() {
        Interval daily = new Interval(Duration.ofDays(1), ANCHOR);
        assertThat(daily.next(Instant.MAX)).isEmpty();
        assertThat(daily.next(Instant.MAX.minusSeconds(10))).isEmpty();
        assertThat(new Interval(Duration.ofDays(1), Instant.MAX).next(ANCHOR)).contains(Instant.MAX);
        assertThat(new Interval(Duration.ofSeconds(1), Instant.MIN).next(Instant.MAX))
                .isEmpty();
        assertThat(new Interval(Duration.ofSeconds(1), Instant.MIN).next(Instant.MAX.minusSeconds(1)))
                .contains(Instant.MAX.minusNanos(999_999_999));
        Interval never = new Interval(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Instant.MIN);
        assertThat(never.next(Instant.MIN)).isEmpty();
        assertThat(never.next(Instant.MAX)).isEmpty();
    }

    @Test
    void lessThanASecondIsRefused() {
        for (Duration every : new Duration[] {Duration.ofMillis(999), Duration.ZERO, Duration.ofSeconds(-5)}) {
            assertThatThrownBy(() -> new Interval(every, ANCHOR))
                    .isInstanceOf(DormouseException.class)
                    .hasMessage(
                            "[DM1022] Expected an interval of 1 s or more, but got " + every + ". Use a longer one.");
        }
    }

    @Test
    @SuppressWarnings("NullAway")
    void nullIsRefused() {
        assertThatThrownBy(() -> new Interval(null, ANCHOR)).hasMessageContaining("[DM1022] Expected the length");
        assertThatThrownBy(() -> new Interval(Duration.ofDays(1), null)).hasMessageContaining("Expected an anchor");
        assertThatThrownBy(() -> new Interval(Duration.ofDays(1), ANCHOR).next(null))
                .hasMessageContaining("Expected an instant");
    }
}
