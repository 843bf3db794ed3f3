package dev.dormouse.internal.engine.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AlarmClockTest {
    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    void earliestAlarmIsNext() {
        AlarmClock clock = new AlarmClock(10);
        assertThat(clock.next()).isEqualTo(Instant.MAX);
        assertThat(clock.arm(at(30))).isTrue();
        assertThat(clock.arm(at(20))).isTrue();
        assertThat(clock.arm(at(20))).isFalse();
        assertThat(clock.arm(at(40))).isFalse();
        assertThat(clock.next()).isEqualTo(at(20));
        assertThat(clock.expire(at(19))).isEmpty();
        assertThat(clock.expire(at(30))).containsExactly(at(20), at(30));
        assertThat(clock.next()).isEqualTo(at(40));
    }

    @Test
    void unreadAlarmsAreNeverSleptThrough() {
        AlarmClock clock = new AlarmClock(10);
        clock.readAhead(List.of(at(10), at(20)), at(20));
        clock.expire(at(10));
        assertThat(clock.next()).isEqualTo(at(20));
        assertThat(clock.mustReadAhead(at(19))).isFalse();
        assertThat(clock.mustReadAhead(at(20))).isTrue();
        clock.expire(at(20));
        assertThat(clock.next()).isEqualTo(at(20));
        clock.readAhead(List.of(at(30)), Instant.MAX);
        assertThat(clock.mustReadAhead(at(30))).isFalse();
        assertThat(clock.next()).isEqualTo(at(30));
    }

    @Test
    void fullClockForgetsTheLatestAndRemembersThatItDid() {
        AlarmClock clock = new AlarmClock(2);
        clock.arm(at(10));
        clock.arm(at(30));
        clock.arm(at(20));
        clock.expire(at(20));
        assertThat(clock.next()).isEqualTo(at(30));
        assertThat(clock.mustReadAhead(at(30))).isTrue();
    }

    @Test
    void alarmOfAnotherNodeCausesReadingAheadBecauseThereMayBeMoreBehindIt() {
        AlarmClock clock = new AlarmClock(10);
        clock.readAhead(List.of(at(50)), Instant.MAX);
        assertThat(clock.hear(at(20))).isTrue();
        assertThat(clock.hear(at(30))).isFalse();
        assertThat(clock.next()).isEqualTo(at(20));
        assertThat(clock.mustReadAhead(at(19))).isFalse();
        assertThat(clock.expire(at(20))).containsExactly(at(20));
        assertThat(clock.mustReadAhead(at(20))).isTrue();
        clock.beginReadAhead();
        clock.readAhead(List.of(at(25), at(30), at(50)), Instant.MAX);
        assertThat(clock.next()).isEqualTo(at(25));
    }

    @Test
    void alarmThatIsArmedWhileItReadsAheadIsNotForgotten() {
        AlarmClock clock = new AlarmClock(10);
        clock.readAhead(List.of(at(10), at(20)), at(20));
        clock.beginReadAhead();
        clock.arm(at(30));
        clock.readAhead(List.of(at(10), at(20)), Instant.MAX);
        clock.expire(at(20));
        assertThat(clock.next()).isEqualTo(at(30));
        assertThat(clock.mustReadAhead(at(30))).isTrue();
        clock.beginReadAhead();
        clock.readAhead(List.of(), Instant.MAX);
        assertThat(clock.next()).isEqualTo(Instant.MAX);
    }

    @Test
    void alarmsMissingFromTheNextReadingAreForgottenButArmedOnesStay() {
        AlarmClock clock = new AlarmClock(10);
        clock.arm(at(5));
        clock.readAhead(List.of(at(3), at(5), at(7)), Instant.MAX);
        clock.beginReadAhead();
        clock.readAhead(List.of(at(7)), Instant.MAX);
        assertThat(clock.next()).isEqualTo(at(5));
        assertThat(clock.expire(at(10))).containsExactly(at(5), at(7));
    }

    @Test
    void reachedHorizonIsTakenOnceAndTheNextReadingReplacesIt() {
        AlarmClock clock = new AlarmClock(10);
        clock.readAhead(List.of(at(10), at(20)), at(20));
        assertThat(clock.takeReadAhead(at(19))).isFalse();
        clock.expire(at(20));
        assertThat(clock.takeReadAhead(at(20))).isTrue();
        assertThat(clock.takeReadAhead(at(20))).isFalse();
        assertThat(clock.next()).as("while the reading is requested").isEqualTo(Instant.MAX);
        clock.readAhead(List.of(at(30)), at(30));
        assertThat(clock.next()).isEqualTo(at(30));
    }

    @Test
    void alarmThatDidNotFitWhileAReadingWasUnderwayIsReadAgain() {
        AlarmClock clock = new AlarmClock(1);
        clock.beginReadAhead();
        clock.arm(at(10));
        clock.arm(at(20));
        clock.expire(at(20));
        assertThat(clock.takeReadAhead(at(20))).isTrue();
        clock.readAhead(List.of(), Instant.MAX); // it began before the alarm was set
        assertThat(clock.takeReadAhead(at(20))).isTrue();
    }

    @Test
    void alarmsThatTheStoreHasNotReachedAreArmedAgain() {
        AlarmClock clock = new AlarmClock(10);
        clock.armAgain(List.of(at(10), at(20), at(30)), at(20));
        assertThat(clock.expire(at(40))).containsExactly(at(30));
    }

    @Test
    void clockWithoutRoomIsRefused() {
        assertThatThrownBy(() -> new AlarmClock(0)).hasMessageContaining("Expected");
    }

    /**
     * Simulates a store as a set of alarms. Some are armed in the clock, and all are read ahead when the clock requests
     * it. The clock must never wait beyond the earliest alarm that it knows of.
     */
    @Test
    void noKnownAlarmIsSleptThrough() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            int capacity = 1 + random.nextInt(6);
            AlarmClock clock = new AlarmClock(capacity);
            TreeSet<Instant> stored = new TreeSet<>();
            Instant now = at(0);
            for (int turn = 0; turn < 200; turn++) {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        Instant alarm = now.plusSeconds(1 + random.nextInt(50));
                        boolean first = alarm.isBefore(clock.next());
                        assertThat(clock.arm(alarm)).isEqualTo(first);
                        stored.add(alarm);
                    }
                    case 1 -> readAhead(clock, stored, 1 + random.nextInt(capacity));
                    default -> {
                        now = now.plusSeconds(random.nextInt(10));
                        Instant earliest = stored.isEmpty() ? Instant.MAX : stored.first();
                        now = earliest.isBefore(now) ? earliest : now;
                        clock.expire(now);
                        stored.headSet(now, true).clear();
                        if (clock.mustReadAhead(now)) {
                            readAhead(clock, stored, capacity);
                        }
                    }
                }
                Instant earliest = stored.isEmpty() ? Instant.MAX : stored.first();
                assertThat(clock.next()).as("seed %s", seed).isBeforeOrEqualTo(earliest);
            }
        }
    }

    private static void readAhead(AlarmClock clock, SortedSet<Instant> stored, int limit) {
        List<Instant> nearest = new ArrayList<>(stored.stream().limit(limit).toList());
        Instant readUpTo = nearest.size() < limit ? Instant.MAX : nearest.get(limit - 1);
        clock.readAhead(nearest, readUpTo);
    }
}
