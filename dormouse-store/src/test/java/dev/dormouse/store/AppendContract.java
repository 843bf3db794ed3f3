package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.events;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Appends: a position of a history is written once, no matter which node writes first, and the run's row does not matter. */
interface AppendContract extends ContractWords {

    private static HistoryAppend at(UUID runId, int seq, Append append) {
        return new HistoryAppend(runId, seq, Fence.ANY_EPOCH, append);
    }

    private CommitOutcome append(HistoryAppend append) {
        return store().append(SHARD, List.of(append)).get(0);
    }

    private Instant appended(HistoryAppend append) {
        CommitOutcome outcome = append(append);
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(((CommitOutcome.Committed) outcome).mail()).isEqualTo(CommitOutcome.MAIL_NOT_READ);
        return ((CommitOutcome.Committed) outcome).at();
    }

    private static Commit takeover(Held held) {
        return Held.fromOutside(held.commit(events(1), NextState.probation(held.lease())));
    }

    private void assertFenced(HistoryAppend append) {
        List<HistoryRow> before = history(append.runId());
        assertThat(append(append)).isEqualTo(new CommitOutcome.Fenced());
        assertThat(history(append.runId())).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    default void appendAddsARowAndLeavesTheRunAsItIs() {
        Held held = held("a");
        RunRow before = row(held.runId());
        Append three = events(3);
        Instant at = appended(at(held.runId(), 1, three));
        assertThat(row(held.runId())).isEqualTo(before);
        assertThat(history(held.runId()).get(1))
                .usingRecursiveComparison()
                .isEqualTo(new HistoryRow(held.runId(), 1, 3, at, three.checksum(), three.payload()));
        assertThat(at).isBetween(before.createdAt(), now());
        assertThat(store().history(SHARD, held.runId(), 1)).isPresent();
    }

    @Test
    default void takenPositionIsFenced() {
        Held held = held("a");
        appended(at(held.runId(), 1, events(1)));
        assertFenced(at(held.runId(), 1, events(1)));
        assertFenced(at(held.runId(), 1, events(2)));
    }

    @Test
    default void repeatedAppendIsAppliedOnceAndFoundForGood() {
        Held held = held("a");
        HistoryAppend first = at(held.runId(), 1, events(2));
        Instant at = appended(first);
        tick();
        assertThat(appended(first)).isEqualTo(at);
        HistoryAppend second = at(held.runId(), 3, events(1));
        appended(second);
        assertThat(appended(first)).isEqualTo(at);
        assertThat(history(held.runId())).hasSize(3);
    }

    @Test
    default void appendWithTheSameChecksumAndOtherEventsIsNotTheSame() {
        Held held = held("a");
        Append one = new Append(1, Samples.bytes("one"), 42);
        appended(at(held.runId(), 1, one));
        assertFenced(at(held.runId(), 1, new Append(1, Samples.bytes("two"), 42)));
        assertFenced(at(held.runId(), 1, new Append(1, Samples.bytes("one"), 43)));
    }

    @Test
    default void appendOfAnotherEpochIsFencedEvenIfItWasApplied() {
        Held held = held("a");
        String epoch = store().sweep(SHARD, Samples.sweep(0)).epoch();
        Append events = events(1);
        assertFenced(new HistoryAppend(held.runId(), 1, epoch + "x", events));
        appended(new HistoryAppend(held.runId(), 1, epoch, events));
        assertFenced(new HistoryAppend(held.runId(), 1, epoch + "x", events));
        appended(new HistoryAppend(held.runId(), 1, epoch, events));
    }

    @Test
    default void appendsAreIndependentOfMailAndRenewals() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        appended(at(held.runId(), 1, events(1)));
        store().renew(SHARD, List.of(new Renewal(held.runId(), held.lease())), LEASE);
        appended(at(held.runId(), 2, events(1)));
        assertThat(row(held.runId()).mail()).isEqualTo(1);
        assertThat(row(held.runId()).nextSeq()).isEqualTo(1);
    }

    @Test
    default void commitAfterAppendsMovesTheRowToTheEnd() {
        Held held = held("a");
        appended(at(held.runId(), 1, events(2)));
        appended(at(held.runId(), 3, events(1)));
        Held end = new Held(held.runId(), "a", held.lease(), 4, 77, 0);
        Commit suspend = end.suspend(Alarm.NONE);
        committed(suspend);
        assertThat(row(held.runId()).nextSeq()).isEqualTo(5);
        assertThat(row(held.runId()).checksum()).isEqualTo(suspend.append().checksum());
        assertThat(history(held.runId())).extracting(HistoryRow::seq).containsExactly(0, 1, 3, 4);
        assertThat(commit(suspend)).isInstanceOf(CommitOutcome.Committed.class);
    }

    @Test
    default void commitWithoutEventsAfterAppendsMovesTheRowToTheEnd() {
        Held held = held("a");
        Append two = events(2);
        appended(at(held.runId(), 1, two));
        Held end = new Held(held.runId(), "a", held.lease(), 3, two.checksum(), 0);
        committed(end.becoming(NextState.pending(Alarm.NOW, WakeReason.HANDOVER)));
        assertThat(row(held.runId()).nextSeq()).isEqualTo(3);
        assertThat(row(held.runId()).checksum()).isEqualTo(two.checksum());
    }

    @Test
    default void commitAtAPositionThatAnAppendHasTakenIsFencedAsAWhole() {
        Held held = held("a");
        appended(at(held.runId(), 1, events(1)));
        RunRow before = row(held.runId());
        assertFenced(Held.fromOutside(Held.sending(held.suspend(Alarm.NONE), outgoing("b"))));
        assertFenced(Held.fromOutside(held.close()));
        assertThat(row(held.runId())).isEqualTo(before);
        assertThat(store().outbox(SHARD, 10)).isEmpty();
    }

    @Test
    default void commitThatLostItsPositionDoesNotDisturbItsBatch() {
        List<Held> runs = IntStream.range(0, 40).mapToObj(i -> held("wf-" + i)).toList();
        runs.stream()
                .filter(held -> held.workflowId().endsWith("7"))
                .forEach(held -> appended(at(held.runId(), 1, events(1))));
        List<CommitOutcome> outcomes = store().commit(
                        SHARD,
                        runs.stream().map(Held::close).map(Held::fromOutside).toList());
        for (int i = 0; i < runs.size(); i++) {
            boolean isTaken = runs.get(i).workflowId().endsWith("7");
            assertThat(outcomes.get(i))
                    .isInstanceOf(isTaken ? CommitOutcome.Fenced.class : CommitOutcome.Committed.class);
            assertThat(row(runs.get(i).runId()).status()).isEqualTo(isTaken ? RunStatus.RUNNING : RunStatus.COMPLETED);
        }
    }

    @Test
    default void appendAtAPositionThatACommitFromOutsideHasTakenIsFenced() {
        Held held = held("a");
        committed(Held.fromOutside(held.step()));
        assertFenced(at(held.runId(), 1, events(1)));
    }

    @Test
    default void takeoverEndsTheAppendsOfThePreviousOwner() {
        Held old = held("a");
        HistoryAppend onItsWay = at(old.runId(), 1, events(1));
        committed(old.expire());
        Held owner = Held.of(claim(10).get(0).row());
        Commit takeover = takeover(owner);
        committed(takeover);
        assertFenced(onItsWay);
        committed(owner.after(takeover).step());
        assertFenced(onItsWay);
        assertThat(row(old.runId()).nextSeq()).isEqualTo(3);
    }

    @Test
    default void takeoverIsRefusedAfterAnAppendOfThePreviousOwner() {
        Held old = held("a");
        committed(old.expire());
        Held owner = Held.of(claim(10).get(0).row());
        Append last = events(1);
        appended(at(old.runId(), 1, last));
        Commit takeover = takeover(owner);
        assertFenced(takeover);
        Held again = new Held(old.runId(), "a", owner.lease(), 2, last.checksum(), 0);
        committed(takeover(again));
        assertFenced(at(old.runId(), 2, events(1)));
    }

    @Test
    default void takeoverUnderALostLeaseIsFenced() {
        committed(held("a").expire());
        Held first = Held.of(claim(10).get(0).row());
        committed(first.expire());
        Held second = Held.of(claim(10).get(0).row());
        Commit takeover = takeover(second);
        committed(takeover);
        Held late =
                new Held(first.runId(), "a", first.lease(), 2, takeover.append().checksum(), 0);
        assertFenced(takeover(late));
    }

    @Test
    default void entriesOfABatchAreIndependentAndAnsweredInTheirOrder() {
        List<Held> runs = IntStream.range(0, 1000)
                .mapToObj(i -> Samples.leased("wf-" + i))
                .map(this::heldBy)
                .toList();
        List<HistoryAppend> batch = new ArrayList<>();
        for (int i = 999; i >= 0; i--) {
            Held held = runs.get(i);
            HistoryAppend append = at(held.runId(), 1, events(1));
            if (i % 10 == 0) {
                appended(at(held.runId(), 1, events(2))); // by another node
            } else if (i % 10 == 1) {
                appended(append); // by an earlier attempt
            }
            batch.add(append);
        }
        List<CommitOutcome> outcomes = store().append(SHARD, batch);
        for (int i = 0; i < 1000; i++) {
            boolean isFenced = (999 - i) % 10 == 0;
            assertThat(outcomes.get(i))
                    .isInstanceOf(isFenced ? CommitOutcome.Fenced.class : CommitOutcome.Committed.class);
            assertThat(history(batch.get(i).runId())).hasSize(2);
        }
    }

    private Held heldBy(Start start) {
        started(start);
        return Held.of(row(start.runId()));
    }

    @Test
    default void emptyBatchOfAppendsIsAnsweredWithNothing() {
        assertThat(store().append(SHARD, List.of())).isEmpty();
    }

    @Test
    default void appendedRowsArePurgedWithTheirRun() {
        Held held = held("a");
        Append one = events(1);
        appended(at(held.runId(), 1, one));
        committed(new Held(held.runId(), "a", held.lease(), 2, one.checksum(), 0).close());
        passTime(Duration.ofMillis(2));
        assertThat(store().purge(SHARD, now(), Optional.empty(), 10).runs()).isEqualTo(1);
        assertThat(history(held.runId())).isEmpty();
    }

    @Test
    default void eventThatRecordsATakeoverKeepsTheCounters() {
        committed(held("a").expire());
        Held owner = Held.of(claim(10).get(0).row());
        assertThat(row(owner.runId()).takeovers()).isEqualTo(1);
        Commit takeover = takeover(owner);
        committed(takeover);
        assertThat(row(owner.runId()).takeovers()).isEqualTo(1);
        committed(owner.after(takeover).step());
        assertThat(row(owner.runId()).takeovers()).isZero();
    }

    @Test
    default void ofTwoWritersOfAPositionOneSucceeds() throws Exception {
        List<Held> runs = IntStream.range(0, 50).mapToObj(i -> held("wf-" + i)).toList();
        List<List<CommitOutcome>> outcomes = Together.run(4, thread -> {
            Store node = thread % 2 == 0 ? store() : peer();
            List<CommitOutcome> mine = new ArrayList<>();
            for (Held held : runs) {
                HistoryAppend append = at(held.runId(), 1, events(1));
                Commit commit = Held.fromOutside(held.commit(events(1), NextState.running(held.lease())));
                mine.add(thread < 2 ? appendUnlocked(node, append) : commitUnlocked(node, commit));
            }
            return mine;
        });
        for (int i = 0; i < runs.size(); i++) {
            int run = i;
            assertThat(outcomes)
                    .filteredOn(mine -> mine.get(run) instanceof CommitOutcome.Committed)
                    .as("writers of run " + i)
                    .hasSize(1);
            assertThat(history(runs.get(i).runId())).hasSize(2);
        }
    }

    private static CommitOutcome appendUnlocked(Store store, HistoryAppend append) {
        CommitOutcome outcome = store.append(SHARD, List.of(append)).get(0);
        return outcome instanceof CommitOutcome.Locked ? appendUnlocked(store, append) : outcome;
    }

    private static CommitOutcome commitUnlocked(Store store, Commit commit) {
        CommitOutcome outcome = store.commit(SHARD, List.of(commit)).get(0);
        return outcome instanceof CommitOutcome.Locked ? commitUnlocked(store, commit) : outcome;
    }

    @Test
    default void writersWhoseBatchesOverlapDoNotWaitForEachOtherForever() throws Exception {
        List<Held> runs = IntStream.range(0, 200).mapToObj(i -> held("wf-" + i)).toList();
        for (int round = 1; round <= 5; round++) {
            int seq = round;
            List<List<CommitOutcome>> outcomes = Together.run(4, thread -> {
                List<HistoryAppend> batch = new ArrayList<>();
                for (int i = 0; i < runs.size(); i++) {
                    Held held = runs.get(thread % 2 == 0 ? i : runs.size() - 1 - i);
                    batch.add(at(held.runId(), seq, events(1)));
                }
                return appendAll(thread < 2 ? store() : peer(), batch);
            });
            long committed = outcomes.stream()
                    .flatMap(List::stream)
                    .filter(CommitOutcome.Committed.class::isInstance)
                    .count();
            assertThat(committed).isEqualTo(runs.size());
        }
    }

    /** Sends a batch, and what is locked again. */
    private static List<CommitOutcome> appendAll(Store store, List<HistoryAppend> batch) {
        List<CommitOutcome> settled = new ArrayList<>();
        List<HistoryAppend> open = batch;
        while (!open.isEmpty()) {
            List<HistoryAppend> locked = new ArrayList<>();
            List<CommitOutcome> outcomes = store.append(SHARD, open);
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) instanceof CommitOutcome.Locked) {
                    locked.add(open.get(i));
                } else {
                    settled.add(outcomes.get(i));
                }
            }
            open = locked;
        }
        return settled;
    }

    @Test
    default void waitingRunHasItsExactEndInItsRow() {
        Held held = held("a");
        Commit suspend = held.suspend(new Alarm.In(FAR));
        committed(suspend);
        RunRow row = row(held.runId());
        assertThat(row.nextSeq()).isEqualTo(2);
        assertThat(row.checksum()).isEqualTo(suspend.append().checksum());
    }
}
