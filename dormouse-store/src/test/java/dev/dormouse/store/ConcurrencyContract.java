package dev.dormouse.store;

import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Concurrent threads and nodes. An entry that is returned as locked is sent again, on its own. */
interface ConcurrencyContract extends ContractWords {

    /** Returns the store of a thread: every other thread is another node. */
    default Store storeOf(int thread) {
        return thread % 2 == 0 ? store() : peer();
    }

    default StartOutcome startUnlocked(Store store, Start start) {
        StartOutcome outcome = store.start(SHARD, List.of(start)).get(0);
        return outcome instanceof StartOutcome.Locked ? startUnlocked(store, start) : outcome;
    }

    default CommitOutcome commitUnlocked(Store store, Commit commit) {
        CommitOutcome outcome = store.commit(SHARD, List.of(commit)).get(0);
        return outcome instanceof CommitOutcome.Locked ? commitUnlocked(store, commit) : outcome;
    }

    default DeliverOutcome deliverUnlocked(Store store, Delivery delivery) {
        DeliverOutcome outcome = store.deliver(SHARD, List.of(delivery), LEASE).get(0);
        return outcome instanceof DeliverOutcome.Locked ? deliverUnlocked(store, delivery) : outcome;
    }

    private static void assertOneStarted(List<StartOutcome> outcomes, RunRow current) {
        assertThat(outcomes).filteredOn(StartOutcome.Started.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(outcome -> !(outcome instanceof StartOutcome.Started))
                .allSatisfy(outcome -> assertThat(
                                ((StartOutcome.Exists) outcome).run().runId())
                        .isEqualTo(current.runId()));
    }

    @Test
    default void hundredThreadsThatStartOneIdGetOneRun() throws Exception {
        List<StartOutcome> outcomes = Together.run(100, thread -> startUnlocked(storeOf(thread), leased("a")));
        RunRow current = store().current(SHARD, "a").orElseThrow();
        assertOneStarted(outcomes, current);
        assertThat(history(current.runId())).hasSize(1);
    }

    @Test
    default void manyThreadsThatReplaceAClosedRunGetOneNewRun() throws Exception {
        closed("a", RunStatus.COMPLETED);
        List<StartOutcome> outcomes =
                Together.run(20, thread -> startUnlocked(storeOf(thread), replacing(leased("a"), RunStatus.COMPLETED)));
        assertOneStarted(outcomes, store().current(SHARD, "a").orElseThrow());
    }

    @Test
    default void batchesThatOverlapInAnyOrderStartEachIdOnce() throws Exception {
        List<List<UUID>> started = Together.run(8, thread -> {
            List<Start> batch = new ArrayList<>(
                    IntStream.range(0, 200).mapToObj(i -> pending("wf-" + i)).toList());
            Collections.shuffle(batch);
            List<StartOutcome> outcomes = storeOf(thread).start(SHARD, batch);
            List<UUID> mine = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                StartOutcome outcome = outcomes.get(i) instanceof StartOutcome.Locked
                        ? startUnlocked(storeOf(thread), batch.get(i))
                        : outcomes.get(i);
                if (outcome instanceof StartOutcome.Started) {
                    mine.add(batch.get(i).runId());
                } else {
                    assertThat(outcome).isInstanceOf(StartOutcome.Exists.class);
                }
            }
            return mine;
        });
        List<UUID> all = started.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(200);
        assertThat(rows(all).values()).extracting(RunRow::workflowId).doesNotHaveDuplicates();
        assertThat(store().histories(SHARD, all)).hasSize(200);
    }

    @Test
    default void twoClaimersNeverShareARun() throws Exception {
        store().start(
                        SHARD,
                        IntStream.range(0, 600)
                                .mapToObj(i -> pending("wf-" + i))
                                .toList());
        List<List<UUID>> claimed = Together.run(6, thread -> {
            List<UUID> mine = new ArrayList<>();
            while (!allClaimed()) {
                Claimed some = storeOf(thread).claim(SHARD, Samples.claim(7));
                some.runs().forEach(run -> assertThat(run.row().takeovers()).isZero());
                mine.addAll(idsOf(some));
            }
            return mine;
        });
        List<UUID> all = claimed.stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(600).doesNotHaveDuplicates();
    }

    private boolean allClaimed() {
        return !store().sweep(SHARD, Samples.sweep(1)).overdue();
    }

    @Test
    default void oneOfManyCommitsUnderTheSameFenceIsApplied() throws Exception {
        Held held = held("a");
        List<CommitOutcome> outcomes = Together.run(20, thread -> commitUnlocked(storeOf(thread), held.step()));
        assertThat(outcomes)
                .filteredOn(CommitOutcome.Committed.class::isInstance)
                .hasSize(1);
        assertThat(outcomes).filteredOn(CommitOutcome.Fenced.class::isInstance).hasSize(19);
        assertThat(row(held.runId()).nextSeq()).isEqualTo(2);
        assertThat(history(held.runId())).hasSize(2);
    }

    @Test
    default void identicalCommitSentByManyThreadsIsAppliedOnce() throws Exception {
        Held held = held("a");
        Commit close = Held.sending(held.close(), Samples.outgoing("b"));
        Set<CommitOutcome> outcomes = new HashSet<>(Together.run(20, thread -> commitUnlocked(storeOf(thread), close)));
        assertThat(outcomes).hasSize(1).allMatch(CommitOutcome.Committed.class::isInstance);
        assertThat(history(held.runId())).hasSize(2);
        assertThat(store().outbox(SHARD, 10)).hasSize(1);
    }

    @Test
    default void batchesOfCommitsThatOverlapInAnyOrderDoNotWaitForEachOther() throws Exception {
        List<Held> runs = IntStream.range(0, 100).mapToObj(i -> held("wf-" + i)).toList();
        List<Integer> applied = Together.run(8, thread -> {
            List<Held> shuffled = new ArrayList<>(runs);
            Collections.shuffle(shuffled);
            List<Commit> batch = shuffled.stream().map(Held::step).toList();
            List<CommitOutcome> outcomes = storeOf(thread).commit(SHARD, batch);
            int mine = 0;
            for (int i = 0; i < batch.size(); i++) {
                CommitOutcome outcome = outcomes.get(i) instanceof CommitOutcome.Locked
                        ? commitUnlocked(storeOf(thread), batch.get(i))
                        : outcomes.get(i);
                assertThat(outcome).isInstanceOfAny(CommitOutcome.Committed.class, CommitOutcome.Fenced.class);
                mine += outcome instanceof CommitOutcome.Committed ? 1 : 0;
            }
            return mine;
        });
        assertThat(applied.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
        assertThat(store().histories(SHARD, runs.stream().map(Held::runId).toList()))
                .hasSize(200);
    }

    @Test
    default void mailFromManySendersIsCountedWithoutGaps() throws Exception {
        Held held = held("a");
        List<List<Long>> positions = Together.run(8, thread -> {
            List<Long> mine = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                DeliverOutcome outcome = deliverUnlocked(storeOf(thread), signal("a", thread + "-" + i));
                mine.add(((DeliverOutcome.Accepted) outcome).position());
            }
            assertThat(mine).isSorted();
            return mine;
        });
        assertThat(positions.stream().flatMap(List::stream).sorted().toList())
                .isEqualTo(LongStream.rangeClosed(1, 200).boxed().toList());
        assertThat(row(held.runId()).mail()).isEqualTo(200);
        assertThat(mail("a"))
                .hasSize(200)
                .isSortedAccordingTo((one, other) -> one.acceptedAt().compareTo(other.acceptedAt()));
    }

    @Test
    default void sameKeyFromManySendersIsAcceptedOnce() throws Exception {
        held("a");
        List<DeliverOutcome> outcomes = Together.run(20, thread -> deliverUnlocked(storeOf(thread), signal("a", "k")));
        assertThat(outcomes)
                .filteredOn(DeliverOutcome.Accepted.class::isInstance)
                .hasSize(1);
        assertThat(outcomes)
                .filteredOn(outcome -> outcome.equals(new DeliverOutcome.Duplicate(1)))
                .hasSize(19);
        assertThat(mail("a")).hasSize(1);
    }

    @Test
    default void suspendAndMailNeverMissEachOther() throws Exception {
        for (int round = 0; round < 30; round++) {
            Held held = held("wf-" + round);
            Commit suspend = Held.with(held.suspend(Alarm.NONE), held.fence().withMail(0));
            List<Object> outcomes = Together.run(
                    2,
                    thread -> thread == 0
                            ? commitUnlocked(store(), suspend)
                            : deliverUnlocked(peer(), signal(held.workflowId(), "k")));
            boolean suspended = outcomes.get(0) instanceof CommitOutcome.Committed;
            RunRow row = row(held.runId());
            assertThat(outcomes.get(1)).isInstanceOf(DeliverOutcome.Accepted.class);
            assertThat(row.mail()).isEqualTo(1);
            assertThat(row.wakeAt()).isNotNull();
            assertThat(suspended).isEqualTo(!row.wakeAt().isAfter(now()));
            assertThat(outcomes.get(0).equals(new CommitOutcome.NewMail(1))).isEqualTo(!suspended);
        }
    }
}
