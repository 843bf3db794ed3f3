package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A user's rows and a commit of a run are stored together or not at all. */
interface TransactionContract extends TransactionWords {

    @Test
    default void rowsAndCommitTakeEffectTogether() throws Exception {
        Held held = heldBesideTable("a");
        Commit step = Held.sending(held.step(), outgoing("b"));
        CommitOutcome.Committed committed;
        try (StoreTransaction transaction = adding("one")) {
            add(transaction, "two");
            committed = (CommitOutcome.Committed) transaction.commit(step);
        }
        assertThat(stored()).containsExactly("one", "two");
        assertThat(nextSeq(held.runId())).isEqualTo(2);
        assertThat(history(held.runId()).get(1).at()).isEqualTo(committed.at());
        assertThat(store().outbox(SHARD, 10)).hasSize(1);
        committed(held.after(step).close());
    }

    @Test
    default void rowsAreReadInTheirOwnTransaction() throws Exception {
        heldBesideTable("a");
        try (StoreTransaction transaction = adding("one")) {
            assertThat(userRows().all(transaction.connection())).containsExactly("one");
        }
        assertThat(stored()).isEmpty();
    }

    @Test
    default void nothingIsLeftOfATransactionThatIsClosed() throws Exception {
        RunRow before = row(heldBesideTable("a").runId());
        adding("one").close();
        begin().close();
        assertNothingStored(before);
        committed(Held.of(before).step());
    }

    @Test
    default void closingOnceMoreDoesNothing() throws Exception {
        Held held = heldBesideTable("a");
        StoreTransaction transaction = adding("one");
        transaction.close();
        transaction.close();
        StoreTransaction committed = adding("two");
        Commit step = held.step();
        committed.commit(step);
        StoreTransaction next = adding("three");
        committed.close();
        transaction.close();
        assertThat(next.commit(held.after(step).step())).isInstanceOf(CommitOutcome.Committed.class);
        next.close();
        assertThat(stored()).containsExactly("three", "two");
    }

    @Test
    default void refusedCommitLeavesNoRows() throws Exception {
        Held held = heldBesideTable("a");
        accepted(signal("a", "k"));
        RunRow before = row(held.runId());
        Fence fence = held.fence();
        for (Fence wrong :
                List.of(Fence.of(newLease(), held.nextSeq()), Fence.of(held.lease(), 0), fence.inEpoch("another"))) {
            assertThat(addAndCommit("one", Held.with(held.step(), wrong))).isEqualTo(new CommitOutcome.Fenced());
        }
        assertThat(addAndCommit("one", Held.with(held.step(), fence.withMail(0))))
                .isEqualTo(new CommitOutcome.NewMail(1));
        assertThat(addAndCommit("one", Held.with(held.step(), fence.notBefore(now().plus(FAR)))))
                .isInstanceOf(CommitOutcome.TooEarly.class);
        assertThat(addAndCommit("one", new Held(Samples.newId(), "none", 1, 1, 0, 0).step()))
                .isEqualTo(new CommitOutcome.Fenced());
        assertNothingStored(before);
    }

    @Test
    default void commitOfALostRunLeavesNoRows() throws Exception {
        Held held = heldBesideTable("a");
        committed(held.expire());
        Commit step = held.step();
        assertThat(claim(10)).hasSize(1);
        RunRow before = row(held.runId());
        assertThat(addAndCommit("one", step)).isEqualTo(new CommitOutcome.Fenced());
        assertNothingStored(before);
    }

    @Test
    default void commitThatADatabaseMayNotHoldIsStoredWithItsRowsOrNotAtAll() throws Exception {
        Held held = heldBesideTable("a");
        RunRow before = row(held.runId());
        NextState stuck = NextState.stuck(Alarm.NONE, "trouble").inLane("half \uD83D", "");
        if (addAndCommit("one", held.becoming(stuck)) instanceof CommitOutcome.Committed) {
            assertThat(stored()).containsExactly("one");
        } else {
            assertNothingStored(before);
        }
    }

    @Test
    default void commitAgainOfAnAppliedOneAddsNoRowsASecondTime() throws Exception {
        Held held = heldBesideTable("a");
        Commit step = held.step();
        CommitOutcome first = addAndCommit("one", step);
        tick();
        assertThat(addAndCommit("two", step)).isEqualTo(first);
        assertThat(commit(step)).isEqualTo(first);
        assertThat(stored()).containsExactly("one");
        assertThat(history(held.runId())).hasSize(2);
        assertThat(addAndCommit("three", held.step())).isEqualTo(new CommitOutcome.Fenced());
        assertThat(stored()).containsExactly("one");
    }

    @Test
    default void runMayBeClosedInATransaction() throws Exception {
        Held held = heldBesideTable("a");
        assertThat(addAndCommit("one", held.close())).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(row(held.runId()).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(stored()).containsExactly("one");
    }

    @Test
    default void transactionThatHasEndedCommitsNothing() throws Exception {
        Held held = heldBesideTable("a");
        StoreTransaction closed = begin();
        closed.close();
        StoreTransaction committed = begin();
        Commit step = held.step();
        committed.commit(step);
        for (StoreTransaction ended : List.of(closed, committed)) {
            assertThatThrownBy(() -> ended.commit(held.after(step).step()))
                    .isInstanceOfSatisfying(
                            DormouseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_ALLOWED_HERE));
        }
        assertThat(nextSeq(held.runId())).isEqualTo(2);
    }

    @Test
    default void transactionIsUsedByOneThreadAfterAnother() throws Exception {
        Held held = heldBesideTable("a");
        ExecutorService first = Executors.newSingleThreadExecutor();
        ExecutorService second = Executors.newSingleThreadExecutor();
        try {
            StoreTransaction transaction = first.submit(() -> adding("one")).get();
            add(transaction, "two");
            assertThat(second.submit(() -> transaction.commit(held.step())).get())
                    .isInstanceOf(CommitOutcome.Committed.class);
            StoreTransaction closed = second.submit(() -> adding("three")).get();
            first.submit(closed::close).get();
        } finally {
            first.shutdownNow();
            second.shutdownNow();
        }
        assertThat(stored()).containsExactly("one", "two");
        committed(held("b").step());
    }

    @Test
    default void otherOperationsProceedDuringATransactionOrRightAfterIt() throws Exception {
        Held held = heldBesideTable("a");
        Held other = held("b");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (StoreTransaction transaction = adding("one")) {
            Future<CommitOutcome> meanwhile = thread.submit(() -> commitWhenFree(other.step()));
            add(transaction, "two");
            assertThat(transaction.commit(held.step())).isInstanceOf(CommitOutcome.Committed.class);
            assertThat(meanwhile.get()).isInstanceOf(CommitOutcome.Committed.class);
        } finally {
            thread.shutdownNow();
        }
        assertThat(stored()).containsExactly("one", "two");
        assertThat(nextSeq(other.runId())).isEqualTo(2);
    }

    @Test
    default void manyTransactionsAtATimeAllTakeEffect() throws Exception {
        heldBesideTable("a");
        int threads = 6;
        int rounds = 5;
        Together.run(threads, thread -> {
            for (int i = 0; i < rounds; i++) {
                String name = thread + "-" + i;
                Held held = heldWhenFree(name);
                assertThat(addAndCommit(name, held.step())).isInstanceOf(CommitOutcome.Committed.class);
            }
            return thread;
        });
        assertThat(stored()).hasSize(threads * rounds);
    }

    private Held heldWhenFree(String workflowId) {
        Start start = Samples.leased(workflowId);
        for (int i = 0; i < 100; i++) {
            if (start(start) instanceof StartOutcome.Started) {
                return new Held(
                        start.runId(),
                        workflowId,
                        start.next().lease(),
                        1,
                        start.first().checksum(),
                        0);
            }
        }
        throw new AssertionError("Expected the lock to be given up, but it was not.");
    }

    @Test
    default void ofManyTransactionsForTheSameStepOneTakesEffect() throws Exception {
        Held held = heldBesideTable("a");
        List<CommitOutcome> outcomes = Together.run(6, thread -> {
            try (StoreTransaction transaction = adding("by " + thread)) {
                CommitOutcome outcome = transaction.commit(held.step());
                for (int i = 0; i < 100 && outcome instanceof CommitOutcome.Locked; i++) {
                    outcome = transaction.commit(held.step());
                }
                return outcome;
            }
        });
        assertThat(outcomes)
                .filteredOn(CommitOutcome.Committed.class::isInstance)
                .hasSize(1);
        assertThat(outcomes).filteredOn(new CommitOutcome.Fenced()::equals).hasSize(5);
        assertThat(stored()).hasSize(1);
        assertThat(nextSeq(held.runId())).isEqualTo(2);
    }
}
