package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.Sweep;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file's lock is the lease: the owner of a run at the time a file is opened is dead. */
class VoidLeasesTest {
    private static final Instant CLOSED = Instant.parse("2026-05-01T12:00:00Z");
    private static final Instant OPENED = CLOSED.plusSeconds(1);

    private final AtomicReference<Instant> clock = new AtomicReference<>(CLOSED);

    @TempDir
    Path directory;

    private Store open() {
        return Stores.open(Stores.config("sqlite:" + directory.resolve("trial.db"), 3, clock::get));
    }

    private static UUID become(Store store, int shard, NextState next) {
        Start start = Sample.leased("wf-" + Sample.newId());
        store.start(shard, List.of(start));
        RunRow row = store.run(shard, start.runId()).orElseThrow();
        CommitOutcome outcome = store.commit(shard, List.of(Sample.commit(row, Append.nothing(row.checksum()), next)))
                .get(0);
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
        return start.runId();
    }

    @Test
    void runsThatWereHeldAreDueAtOnceAndTheirClaimCountsATakeover() {
        UUID running;
        UUID parked;
        UUID without;
        try (Store store = open()) {
            running = become(store, 0, NextState.running(11, Duration.ofHours(1)));
            parked = become(store, 0, NextState.parked(12, CLOSED.plusSeconds(3_600)));
            without = become(
                    store, 0, new NextState(RunStatus.RUNNING, 13, Alarm.NONE, WakeReason.LEASE, null, null, ""));
        }
        clock.set(OPENED);
        try (Store store = open()) {
            for (UUID runId : List.of(running, parked, without)) {
                RunRow row = store.run(0, runId).orElseThrow();
                assertThat(row.wakeAt()).isEqualTo(OPENED);
                assertThat(row.lease()).isNotZero();
            }
            List<Claimed.Run> claimed = store.claim(0, Sample.claim(10)).runs();
            assertThat(claimed).extracting(run -> run.row().runId()).containsExactly(running, parked, without);
            assertThat(claimed).allMatch(run -> run.row().takeovers() == 1);
        }
    }

    @Test
    void allShardsAreLookedAt() {
        UUID runId;
        try (Store store = open()) {
            runId = become(store, 2, NextState.running(11, Duration.ofHours(1)));
        }
        clock.set(OPENED);
        try (Store store = open()) {
            assertThat(store.run(2, runId).orElseThrow().wakeAt()).isEqualTo(OPENED);
        }
    }

    @Test
    void runsWithoutALeaseAreLeftAlone() {
        Instant alarm = CLOSED.plusSeconds(60);
        List<RunRow> before;
        List<UUID> runs;
        try (Store store = open()) {
            runs = List.of(
                    become(store, 0, NextState.waiting(new Alarm.At(alarm), WakeReason.TIMER)),
                    become(store, 0, NextState.waiting(Alarm.NONE, WakeReason.MAIL)),
                    become(store, 0, NextState.pending(new Alarm.At(alarm), WakeReason.START)),
                    become(store, 0, NextState.stuck(Alarm.NONE, "trouble")),
                    become(store, 0, NextState.closed(RunStatus.COMPLETED)));
            before = store.runs(0, runs);
        }
        clock.set(OPENED);
        try (Store store = open()) {
            assertThat(store.runs(0, runs)).isEqualTo(before);
        }
    }

    @Test
    void leaseThatHadEndedBeforeKeepsItsPlaceInTheOrder() {
        UUID runId;
        try (Store store = open()) {
            runId = become(store, 0, NextState.running(11, Duration.ZERO));
        }
        clock.set(OPENED);
        try (Store store = open()) {
            assertThat(store.run(0, runId).orElseThrow().wakeAt()).isEqualTo(CLOSED);
        }
    }

    @Test
    void nodesOfTheLastProcessAreGone() {
        try (Store store = open()) {
            store.sweep(0, new Sweep("node-1", "build-1", List.of("order"), 1));
        }
        try (Store store = open()) {
            assertThat(store.nodes(0)).isEmpty();
        }
    }

    @Test
    void numberOfShardsIsTheOneThatTheFileWasMadeWith() {
        open().close();
        try (Store store = Stores.open(directory.resolve("trial.db"), 7)) {
            assertThat(store.shards()).isEqualTo(3);
        }
    }
}
