package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.events;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A commit whose outcome was lost is sent again unchanged: it counts once, and only while its fence still holds. */
interface CommitAgainContract extends ContractWords {

    private void assertCommittedOnce(Commit commit) {
        CommitOutcome.Committed first = committed(commit);
        RunRow row = row(commit.runId());
        int rows = history(commit.runId()).size();
        tick();
        assertThat(commit(commit)).isEqualTo(first);
        assertThat(commit(commit)).isEqualTo(first);
        assertThat(row(commit.runId())).isEqualTo(row);
        assertThat(history(commit.runId())).hasSize(rows);
    }

    @Test
    default void identicalCommitAgainIsCommittedOnceAtTheInstantOfTheFirst() {
        assertCommittedOnce(held("a").step());
    }

    @Test
    default void identicalCommitAgainIsCommittedOnceWhereItParks() {
        assertCommittedOnce(held("a").park(newLease(), now().plus(FAR)));
    }

    @Test
    default void identicalCommitAgainIsCommittedOnceWhereItSuspends() {
        assertCommittedOnce(held("a").suspend(new Alarm.In(FAR)));
    }

    @Test
    default void identicalCommitAgainIsCommittedOnceWhereItCloses() {
        assertCommittedOnce(held("a").close());
    }

    @Test
    default void identicalCommitAgainSendsItsOutboxOnce() {
        Held held = held("a");
        assertCommittedOnce(Held.sending(held.step(), outgoing("b"), outgoing("c")));
        assertThat(store().outbox(SHARD, 10)).hasSize(2);
        store().forwarded(
                        SHARD,
                        store().outbox(SHARD, 10).stream().map(Outgoing::id).toList());
    }

    @Test
    default void identicalCommitAgainSendsNothingThatWasForwardedMeanwhile() {
        Held held = held("a");
        Commit commit = Held.sending(held.close(), outgoing("b"));
        committed(commit);
        store().forwarded(
                        SHARD,
                        store().outbox(SHARD, 10).stream().map(Outgoing::id).toList());
        committed(commit);
        assertThat(store().outbox(SHARD, 10)).isEmpty();
    }

    @Test
    default void anotherCommitWithTheSameNumberIsFenced() {
        Held held = held("a");
        committed(held.step());
        assertFenced(held.step());
        assertFenced(held.suspend(Alarm.NONE));
        assertFenced(held.close());
    }

    @Test
    default void anotherCommitWithTheSameNumberIsFencedEvenOnAReleasedRun() {
        Held suspended = held("a");
        committed(suspended.suspend(new Alarm.In(FAR)));
        assertFenced(suspended.suspend(new Alarm.In(FAR)));
        Held closed = held("b");
        committed(closed.close());
        assertFenced(closed.close());
        assertFenced(closed.step());
    }

    @Test
    default void commitAgainCountsAlsoAfterLaterOnesUnderTheSameLease() {
        Held held = held("a");
        Commit first = held.step();
        CommitOutcome.Committed at = committed(first);
        tick();
        Commit second = held.after(first).step();
        committed(second);
        assertThat(commit(first)).isEqualTo(at);
        assertThat(row(held.runId()).nextSeq()).isEqualTo(3);
    }

    @Test
    default void commitAgainIsFencedWhenTheLeaseIsLost() {
        Held held = held("a");
        Commit step = held.step();
        committed(step);
        committed(held.after(step).expire());
        assertThat(claim(10)).hasSize(1);
        assertFenced(step);
    }

    @Test
    default void repeatedParkIsFencedIfTheRunContinuedUnderAnotherLease() {
        Held held = held("a");
        Commit park = held.park(newLease(), now().plus(FAR));
        committed(park);
        long next = newLease();
        committed(held.after(park).commit(events(1), NextState.running(next, FAR)));
        assertFenced(park);
    }

    @Test
    default void suspendWithEventsCountsEvenIfAnotherNodeClaimedTheRunMeanwhile() {
        Held held = held("a");
        Commit suspend = held.suspend(Alarm.NOW);
        CommitOutcome.Committed at = committed(suspend);
        assertThat(claim(10)).hasSize(1);
        assertThat(commit(suspend)).isEqualTo(at);
        assertThat(row(held.runId()).status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    default void commitWithoutEventsAgainCountsWhileTheRunIsUnderItsNewLease() {
        Held held = held("a");
        Commit park = held.becoming(NextState.parked(newLease(), now().plus(FAR)));
        committed(park);
        committed(park);
        committed(held.after(park).becoming(NextState.running(newLease(), FAR)));
        assertFenced(park);
    }

    @Test
    default void repeatedCommitWithoutEventsIsFencedIfTheRunContinuedUnderItsNewLease() {
        Held held = held("a");
        Commit park = held.becoming(NextState.parked(newLease(), now().plus(FAR)));
        committed(park);
        committed(held.after(park).step());
        assertFenced(park);
    }

    @Test
    default void suspendWithoutEventsAgainCountsUntilAnotherNodeTakesTheRun() {
        Held held = held("a");
        Commit suspend = held.becoming(NextState.waiting(Alarm.NOW, WakeReason.TIMER));
        committed(suspend);
        committed(suspend);
        assertThat(claim(10)).hasSize(1);
        assertFenced(suspend);
    }

    @Test
    default void commitWithoutEventsThatKeepsItsLeaseIsNotTakenForApplied() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        Commit commit = Held.with(
                held.becoming(NextState.running(held.lease())), held.fence().withMail(0));
        assertThat(commit(commit)).isEqualTo(new CommitOutcome.NewMail(1));
        Commit early = Held.with(
                held.becoming(NextState.running(held.lease())), held.fence().notBefore(now().plus(FAR)));
        assertThat(commit(early)).isInstanceOf(CommitOutcome.TooEarly.class);
    }

    @Test
    default void repeatedCommitCountsEvenAfterNewMailAndReturnsTheMailCounter() {
        Held held = held("a");
        Commit suspend = Held.with(held.suspend(Alarm.NONE), held.fence().withMail(0));
        CommitOutcome.Committed first = committed(suspend);
        accepted(signal("a", "k1"));
        assertThat(commit(suspend)).isEqualTo(new CommitOutcome.Committed(first.at(), 1));
    }

    @Test
    default void commitAgainStandsInABatchAmongOthers() {
        Held one = held("a");
        Held two = held("b");
        Held three = held("c");
        Commit close = one.close();
        CommitOutcome.Committed first = committed(close);
        committed(two.step());
        tick();
        List<CommitOutcome> outcomes = store().commit(SHARD, List.of(close, two.step(), three.step()));
        assertThat(outcomes.get(0)).isEqualTo(first);
        assertThat(outcomes.get(1)).isEqualTo(new CommitOutcome.Fenced());
        assertThat(outcomes.get(2)).isInstanceOf(CommitOutcome.Committed.class);
    }
}
