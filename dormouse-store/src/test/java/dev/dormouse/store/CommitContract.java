package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.NODE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.events;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.outgoing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits are fenced, and state, alarm and history change together or not at all. */
interface CommitContract extends ContractWords {

    @Test
    default void commitMovesRowAndHistoryTogether() {
        Held held = held("a");
        RunRow before = row(held.runId());
        Commit step = held.commit(events(3), NextState.running(held.lease()));
        Instant at = committed(step).at();
        RunRow after = row(held.runId());
        RowEdit expected = new RowEdit(before);
        expected.nextSeq = 4;
        expected.checksum = step.append().checksum();
        assertThat(after).isEqualTo(expected.toRow());
        assertThat(history(held.runId()).get(1))
                .usingRecursiveComparison()
                .isEqualTo(new HistoryRow(
                        held.runId(),
                        1,
                        3,
                        at,
                        step.append().checksum(),
                        step.append().payload()));
    }

    @Test
    default void commitUnderAnotherLeaseIsFenced() {
        Held held = held("a");
        assertFenced(Held.with(held.step(), Fence.of(newLease(), 1)));
        assertFenced(Held.with(held.step(), Fence.of(RunRow.NO_LEASE, 1)));
        assertFenced(Held.with(held.step(), Fence.of(-held.lease(), 1)));
    }

    @Test
    default void commitBeforeTheEndOfTheHistoryIsFenced() {
        Held held = held("a");
        assertFenced(Held.with(held.step(), Fence.of(held.lease(), 0)));
        assertFenced(Held.with(held.step(), Fence.of(newLease(), 2)));
        assertFenced(Held.with(held.becoming(NextState.running(held.lease())), Fence.of(held.lease(), 0)));
    }

    @Test
    default void commitToAnUnknownRunIsFenced() {
        Held unknown = new Held(newId(), "a", newLease(), 1, 0, 0);
        assertFenced(unknown.step());
        assertFenced(unknown.becoming(NextState.running(unknown.lease())));
    }

    @Test
    default void closedRunTakesNoCommitsEvenIfTheFenceWouldFit() {
        Held held = closed("a", RunStatus.COMPLETED);
        assertThat(held.lease()).isEqualTo(RunRow.NO_LEASE);
        assertFenced(held.step());
        assertFenced(held.commit(events(1), NextState.closed(RunStatus.TERMINATED)));
        assertFenced(held.becoming(NextState.waiting(Alarm.NOW, WakeReason.TIMER)));
        assertFenced(held.becoming(NextState.running(newLease(), FAR)));
    }

    @Test
    default void runWithoutAnOwnerIsCommittedToWithoutALease() {
        Held held = held("a");
        Commit suspend = held.suspend(Alarm.NONE);
        committed(suspend);
        Commit terminate = held.after(suspend).commit(events(1), NextState.closed(RunStatus.TERMINATED));
        committed(terminate);
        assertThat(row(held.runId()).status()).isEqualTo(RunStatus.TERMINATED);
    }

    @Test
    default void alarmShowsThatARunWasClaimedAndReleased() {
        Held held = held("a");
        Commit suspend = held.suspend(Alarm.NOW);
        committed(suspend);
        Held idle = held.after(suspend);
        Instant alarm = row(held.runId()).wakeAt();
        Commit cancel = Held.with(
                idle.commit(events(1), NextState.closed(RunStatus.CANCELLED)),
                idle.fence().withAlarm(alarm));
        assertFenced(Held.with(cancel, idle.fence().withAlarm(null)));
        Held again = Held.of(claim(1).get(0).row());
        committed(again.becoming(NextState.pending(new Alarm.In(FAR), WakeReason.HANDOVER)));
        assertFenced(cancel);
        committed(Held.with(cancel, idle.fence().withAlarm(row(held.runId()).wakeAt())));
        assertThat(row(held.runId()).status()).isEqualTo(RunStatus.CANCELLED);
    }

    @Test
    default void fenceDistinguishesNoAlarmFromAnAlarm() {
        Held held = held("a");
        Commit suspend = held.suspend(Alarm.NONE);
        committed(suspend);
        Held idle = held.after(suspend);
        assertFenced(Held.with(idle.close(), idle.fence().withAlarm(now())));
        committed(Held.with(idle.close(), idle.fence().withAlarm(null)));
    }

    @Test
    default void newMailRefusesACommitThatHasNotSeenIt() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        RunRow before = row(held.runId());
        Commit suspend = held.suspend(Alarm.NONE);
        assertThat(commit(Held.with(suspend, held.fence().withMail(0)))).isEqualTo(new CommitOutcome.NewMail(1));
        assertThat(commit(Held.with(suspend, held.fence().withMail(2)))).isEqualTo(new CommitOutcome.NewMail(1));
        assertThat(row(held.runId())).isEqualTo(before);
        assertThat(history(held.runId())).hasSize(1);
        Commit seen = Held.consuming(Held.with(suspend, held.fence().withMail(1)), 1);
        assertThat(committed(seen).mail()).isEqualTo(1);
        assertThat(row(held.runId()).consumed()).isEqualTo(1);
    }

    @Test
    default void commitThatIgnoresMailReturnsTheMailCounter() {
        Held held = held("a");
        assertThat(committed(held.step()).mail()).isZero();
        accepted(signal("a", "k1"));
        accepted(signal("a", "k2"));
        Held later = Held.of(row(held.runId()));
        assertThat(committed(later.step()).mail()).isEqualTo(2);
        assertThat(row(held.runId()).consumed()).isZero();
    }

    @Test
    default void commitBeforeItsInstantIsTooEarly() {
        Held held = held("a");
        Instant instant = now().plus(FAR);
        RunRow before = row(held.runId());
        CommitOutcome outcome = commit(Held.with(held.step(), held.fence().notBefore(instant)));
        assertThat(((CommitOutcome.TooEarly) outcome).now()).isBetween(before.createdAt(), now());
        assertThat(row(held.runId())).isEqualTo(before);
        assertThat(history(held.runId())).hasSize(1);
    }

    @Test
    default void commitIsNeverEarlyNotEvenByANanosecond() {
        Held held = held("a");
        for (int i = 0; i < 50; i++) {
            Instant instant = now().plusNanos(1 + i * 3_001L);
            Commit step = Held.with(held.step(), held.fence().notBefore(instant));
            CommitOutcome outcome = commit(step);
            while (outcome instanceof CommitOutcome.TooEarly early) {
                assertThat(early.now()).isBefore(instant);
                passTime(Duration.ofNanos(1_000));
                outcome = commit(step);
            }
            assertThat(((CommitOutcome.Committed) outcome).at()).isAfterOrEqualTo(instant);
            held = held.after(step);
        }
    }

    @Test
    default void commitAtExactlyItsInstantIsNotTooEarly() {
        Held held = held("a");
        committed(Held.with(held.step(), held.fence().notBefore(now())));
    }

    @Test
    default void lostLeaseIsReportedBeforeOtherRefusals() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        Instant future = now().plus(FAR);
        assertFenced(Held.with(held.step(), Fence.of(newLease(), 1).withMail(0).notBefore(future)));
        assertThat(commit(Held.with(held.step(), held.fence().withMail(0).notBefore(future))))
                .isEqualTo(new CommitOutcome.NewMail(1));
        assertThat(commit(Held.with(held.step(), held.fence().withMail(1).notBefore(future))))
                .isInstanceOf(CommitOutcome.TooEarly.class);
    }

    @Test
    default void entriesOfOneBatchAreIndependentOfEachOther() {
        Held good = held("good");
        Held fenced = held("fenced");
        Held mail = held("mail");
        Held early = held("early");
        accepted(signal("mail", "k1"));
        List<CommitOutcome> outcomes = store().commit(
                        SHARD,
                        List.of(
                                Held.with(early.step(), early.fence().notBefore(now().plus(FAR))),
                                Held.with(fenced.step(), Fence.of(newLease(), 1)),
                                good.step(),
                                new Held(newId(), "unknown", newLease(), 1, 0, 0).step(),
                                Held.with(mail.step(), mail.fence().withMail(0))));
        assertThat(outcomes.get(0)).isInstanceOf(CommitOutcome.TooEarly.class);
        assertThat(outcomes.get(1)).isEqualTo(new CommitOutcome.Fenced());
        assertThat(outcomes.get(2)).isInstanceOf(CommitOutcome.Committed.class);
        assertThat(outcomes.get(3)).isEqualTo(new CommitOutcome.Fenced());
        assertThat(outcomes.get(4)).isEqualTo(new CommitOutcome.NewMail(1));
        assertThat(store().histories(SHARD, List.of(good.runId(), fenced.runId(), mail.runId(), early.runId())))
                .hasSize(5);
    }

    @Test
    default void thousandCommitsAreAnsweredInTheirOrder() {
        List<Start> starts = IntStream.range(0, 1000)
                .mapToObj(i -> Samples.leased("wf-" + i))
                .toList();
        store().start(SHARD, starts);
        Map<UUID, RunRow> rows = rows(starts.stream().map(Start::runId).toList());
        List<Commit> batch = IntStream.range(0, 1000)
                .mapToObj(i -> {
                    Held held = Held.of(rows.get(starts.get(999 - i).runId()));
                    return i % 10 == 0 ? Held.with(held.step(), Fence.of(newLease(), 1)) : held.step();
                })
                .toList();
        List<CommitOutcome> outcomes = store().commit(SHARD, batch);
        Map<UUID, RunRow> after = rows(starts.stream().map(Start::runId).toList());
        for (int i = 0; i < 1000; i++) {
            boolean fenced = outcomes.get(i) instanceof CommitOutcome.Fenced;
            assertThat(fenced).isEqualTo(i % 10 == 0);
            assertThat(after.get(batch.get(i).runId()).nextSeq()).isEqualTo(fenced ? 1 : 2);
        }
    }

    @Test
    default void commitWithoutEventsMovesTheStateAlone() {
        Held held = held("a");
        committed(held.becoming(NextState.stuck(Alarm.NONE, "it's a \"trouble\"\n\twith lines")));
        RunRow row = row(held.runId());
        assertThat(row.nextSeq()).isEqualTo(1);
        assertThat(row.checksum()).isEqualTo(held.checksum());
        assertThat(row.trouble()).isEqualTo("it's a \"trouble\"\n\twith lines");
        assertThat(history(held.runId())).hasSize(1);
    }

    @Test
    default void refusedCommitLeavesNothingInTheOutbox() {
        Held held = held("a");
        Commit sending = Held.sending(held.step(), outgoing("b"));
        assertFenced(Held.with(sending, Fence.of(newLease(), 1)));
        accepted(signal("a", "k1"));
        commit(Held.with(sending, held.fence().withMail(0)));
        commit(Held.with(sending, held.fence().notBefore(now().plus(FAR))));
        assertThat(store().outbox(SHARD, 10)).isEmpty();
    }

    @Test
    default void closingSetsTheEndAndGivesUpOwnerLeaseAndAlarm() {
        for (RunStatus status : RunStatus.values()) {
            if (status.isClosed()) {
                Held held = held("wf-" + status);
                Instant at = committed(held.commit(events(1), NextState.closed(status)))
                        .at();
                RunRow row = row(held.runId());
                assertThat(row.status()).isEqualTo(status);
                assertThat(row.closedAt()).isEqualTo(at);
                assertThat(row.wakeAt()).isNull();
                assertThat(row.owner()).isEmpty();
                assertThat(row.lease()).isEqualTo(RunRow.NO_LEASE);
            }
        }
    }

    @Test
    default void ownerIsKeptWhileTheRunIsHeldAndClearedWhenItIsGivenUp() {
        Held held = held("a");
        UUID runId = held.runId();
        Commit park = held.park(newLease(), now().plus(FAR));
        committed(park);
        assertThat(row(runId).owner()).isEqualTo(NODE);
        assertThat(row(runId).status()).isEqualTo(RunStatus.PARKED);
        committed(held.after(park).suspend(Alarm.NONE));
        assertThat(row(runId).owner()).isEmpty();
        assertThat(row(runId).status()).isEqualTo(RunStatus.WAITING);
        assertThat(row(runId).closedAt()).isNull();
    }

    @Test
    default void laneAndRefusalsStayUnlessTheCommitNamesThem() {
        Held held = held("a");
        Commit refuse =
                held.becoming(NextState.pending(Alarm.NONE, WakeReason.HANDOVER).inLane("order~", "b1"));
        committed(refuse);
        assertThat(row(held.runId()).lane()).isEqualTo("order~");
        assertThat(row(held.runId()).refused()).isEqualTo("b1");
        Held again = Held.of(row(held.runId()));
        committed(again.becoming(NextState.pending(Alarm.NONE, WakeReason.HANDOVER)));
        assertThat(row(held.runId()).lane()).isEqualTo("order~");
        assertThat(row(held.runId()).refused()).isEqualTo("b1");
        committed(again.becoming(
                NextState.pending(Alarm.NONE, WakeReason.HANDOVER).inLane("order", "")));
        assertThat(row(held.runId()).lane()).isEqualTo("order");
        assertThat(row(held.runId()).refused()).isEmpty();
    }

    @Test
    default void everyWakeReasonIsKept() {
        for (WakeReason reason : WakeReason.values()) {
            Held held = held("wf-" + reason);
            committed(held.becoming(NextState.waiting(new Alarm.In(FAR), reason)));
            assertThat(row(held.runId()).wakeReason()).isEqualTo(reason);
        }
    }

    @Test
    default void troubleIsGoneWithTheNextStateThatHasNone() {
        Held held = held("a");
        committed(held.becoming(NextState.stuck(Alarm.NONE, "trouble")));
        committed(Held.of(row(held.runId())).becoming(NextState.pending(Alarm.NOW, WakeReason.HANDOVER)));
        assertThat(row(held.runId()).trouble()).isEmpty();
    }

    @Test
    default void commitOfAnotherEpochIsFenced() {
        Held held = held("a");
        String epoch = store().sweep(SHARD, Samples.sweep(0)).epoch();
        Commit step = held.step();
        assertThat(commit(inEpoch(step, epoch + "x"))).isInstanceOf(CommitOutcome.Fenced.class);
        assertThat(row(held.runId()).nextSeq()).isEqualTo(held.nextSeq());
        committed(inEpoch(step, epoch));
        assertThat(commit(inEpoch(step, epoch + "x"))).isInstanceOf(CommitOutcome.Fenced.class);
        committed(inEpoch(step, epoch));
    }

    private static Commit inEpoch(Commit commit, String epoch) {
        return new Commit(
                commit.runId(),
                commit.fence().inEpoch(epoch),
                commit.append(),
                commit.consumed(),
                commit.next(),
                commit.outbox(),
                commit.isFromOwner());
    }
}
