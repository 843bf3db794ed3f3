package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.NextState;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A run has exactly one alarm, which is never early and never before the store's clock. */
interface AlarmContract extends ContractWords {

    private Instant alarmAfter(Held held, Alarm alarm) {
        committed(
                held.becoming(new NextState(RunStatus.RUNNING, held.lease(), alarm, WakeReason.LEASE, null, null, "")));
        return row(held.runId()).wakeAt();
    }

    @Test
    default void alarmIsKeptSetAndRemoved() {
        Held held = held("a");
        Instant first = row(held.runId()).wakeAt();
        assertThat(alarmAfter(held, Alarm.KEEP)).isEqualTo(first);
        Instant instant = first.plusSeconds(77);
        assertThat(alarmAfter(held, new Alarm.At(instant))).isEqualTo(instant);
        assertThat(alarmAfter(held, Alarm.KEEP)).isEqualTo(instant);
        assertThat(alarmAfter(held, Alarm.NONE)).isNull();
        assertThat(alarmAfter(held, Alarm.KEEP)).isNull();
    }

    @Test
    default void relativeAlarmCountsFromTheStoresClock() {
        Held held = held("a");
        Commit commit = held.becoming(NextState.running(held.lease(), FAR));
        Instant at = committed(commit).at();
        assertThat(row(held.runId()).wakeAt()).isEqualTo(at.plus(FAR));
    }

    @Test
    default void alarmIsNeverWrittenBelowNow() {
        Held held = held("a");
        for (Alarm late : new Alarm[] {
            Alarm.NOW,
            new Alarm.In(Duration.ofDays(-1)),
            new Alarm.In(Duration.ofSeconds(Long.MIN_VALUE)),
            new Alarm.At(Instant.EPOCH),
            new Alarm.At(Instant.parse("1815-12-10T00:00:00Z")),
            new Alarm.At(now().minusNanos(1))
        }) {
            Instant before = now();
            assertThat(alarmAfter(held, late)).isBetween(before, now());
        }
    }

    @Test
    default void alarmIsRoundedUpToAWholeMicrosecond() {
        Held held = held("a");
        Instant whole = now().plus(FAR);
        assertThat(alarmAfter(held, new Alarm.At(whole.plusNanos(1)))).isEqualTo(whole.plusNanos(1_000));
        assertThat(alarmAfter(held, new Alarm.At(whole.plusNanos(999)))).isEqualTo(whole.plusNanos(1_000));
        assertThat(alarmAfter(held, new Alarm.At(whole.plusNanos(1_000)))).isEqualTo(whole.plusNanos(1_000));
        Instant at = committed(held.becoming(NextState.running(held.lease(), FAR.plusNanos(1))))
                .at();
        assertThat(row(held.runId()).wakeAt()).isEqualTo(at.plus(FAR).plusNanos(1_000));
    }

    @Test
    default void farAlarmsAreKeptAsTheyAre() {
        Held held = held("a");
        Instant year9999 = Instant.parse("9999-12-31T23:59:59.999999Z");
        assertThat(alarmAfter(held, new Alarm.At(year9999))).isEqualTo(year9999);
        Instant afterwards = Instant.parse("+12345-01-01T00:00:00.000001Z");
        assertThat(alarmAfter(held, new Alarm.At(afterwards))).isEqualTo(afterwards);
        assertThat(alarmAfter(held, new Alarm.At(Micros.MAX))).isEqualTo(Micros.MAX);
        assertThat(claim(10)).isEmpty();
        assertThat(store().sweep(SHARD, Samples.sweep(5)).alarms()).containsExactly(Micros.MAX);
    }

    @Test
    default void alarmBeyondTheLastInstantIsTheLastInstant() {
        Held held = held("a");
        assertThat(alarmAfter(held, new Alarm.In(Duration.ofSeconds(Long.MAX_VALUE))))
                .isEqualTo(Micros.MAX);
        started(pending("b", new Alarm.In(Duration.ofSeconds(Long.MAX_VALUE))));
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void runIsNeverClaimedBeforeItsAlarm() {
        for (int i = 0; i < 20; i++) {
            Instant instant = now().plusNanos(1 + i * 70_001L);
            UUID runId = started(pending("wf-" + i, new Alarm.At(instant)));
            Claimed claimed = store().claim(SHARD, Samples.claim(10));
            while (claimed.runs().isEmpty()) {
                assertThat(claimed.now()).isBefore(instant);
                passTime(Duration.ofNanos(10_000));
                claimed = store().claim(SHARD, Samples.claim(10));
            }
            assertThat(claimed.now()).isAfterOrEqualTo(instant);
            assertThat(idsOf(claimed)).containsExactly(runId);
            assertThat(claimed.runs().get(0).alarm()).isAfterOrEqualTo(Micros.roundUp(instant));
        }
    }

    @Test
    default void startsFollowTheSameRulesForTheirAlarms() {
        UUID far = started(pending("far", new Alarm.At(Micros.MAX)));
        UUID none = started(pending("none", Alarm.NONE));
        Instant whole = now().plus(FAR);
        UUID odd = started(pending("odd", new Alarm.At(whole.plusNanos(1))));
        assertThat(row(far).wakeAt()).isEqualTo(Micros.MAX);
        assertThat(row(none).wakeAt()).isNull();
        assertThat(row(odd).wakeAt()).isEqualTo(whole.plusNanos(1_000));
    }
}
