package dev.dormouse.store;

import static dev.dormouse.store.Samples.LEASE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.events;
import static dev.dormouse.store.Samples.leased;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.replacing;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A run that continues as new leaves its workflow id's mail to its successor: no item is refused, lost or read twice.
 */
interface ContinueContract extends ConcurrencyContract {

    /** Closes a run that continues as new and has read its mail up to {@code consumed}. */
    private Held continued(Held held, long consumed) {
        Commit close = Held.consuming(held.commit(events(1), NextState.closed(RunStatus.CONTINUED)), consumed);
        committed(close);
        return held.after(close);
    }

    private static Start successor(String workflowId) {
        return replacing(leased(workflowId), RunStatus.CONTINUED);
    }

    private int purged() {
        return store().purge(SHARD, now().plusSeconds(1), Optional.empty(), 100).runs();
    }

    @Test
    default void continuedRunAcceptsMailAndStaysUnchanged() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        continued(held, 1);
        RunRow before = row(held.runId());
        DeliverOutcome.Accepted accepted = accepted(signal("a", "k2"));
        assertThat(accepted.position()).isEqualTo(2);
        assertThat(accepted.run()).isEqualTo(before.withMail(2)).isEqualTo(row(held.runId()));
        assertThat(accepted.run().wakeAt()).isNull();
        assertThat(accepted.run().closedAt()).isEqualTo(before.closedAt());
        assertThat(deliver(signal("a", "k2"))).isEqualTo(new DeliverOutcome.Duplicate(2));
        assertThat(mail("a")).hasSize(2);
        assertThat(claim(10)).isEmpty();
        assertThat(store().sweep(SHARD, Samples.sweep(10)).alarms()).isEmpty();
    }

    @Test
    default void everyOtherClosedRunRefusesMail() {
        for (RunStatus status : RunStatus.values()) {
            if (status.isClosed() && status != RunStatus.CONTINUED) {
                Held held = closed("wf-" + status, status);
                RunRow row = row(held.runId());
                assertThat(deliver(signal(held.workflowId(), "k"))).isEqualTo(new DeliverOutcome.RunClosed(row));
                assertThat(row(held.runId())).isEqualTo(row);
                assertThat(mail(held.workflowId())).isEmpty();
            }
        }
    }

    @Test
    default void successorFindsUnreadMail() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        accepted(signal("a", "k2"));
        continued(held, 1);
        accepted(signal("a", "k3"));
        UUID next = started(successor("a"));
        RunRow row = row(next);
        assertThat(row.mail()).isEqualTo(3);
        assertThat(row.consumed()).isEqualTo(1);
        assertThat(store().mail(SHARD, "a", row.consumed(), 10))
                .extracting(InboxMessage::key)
                .containsExactly("k2", "k3");
        assertThat(deliver(signal("a", "k3"))).isEqualTo(new DeliverOutcome.Duplicate(3));
        assertThat(accepted(signal("a", "k4")).run().runId()).isEqualTo(next);
        Commit suspend = Held.of(row).suspend(Alarm.NONE);
        assertThat(commit(Held.with(suspend, suspend.fence().withMail(3)))).isEqualTo(new CommitOutcome.NewMail(4));
        committed(Held.consuming(Held.of(row).step(), 4));
    }

    @Test
    default void onlyTheStatusOfTheOldRunDecidesWhatIsLeftForTheNewOne() {
        for (RunStatus status : List.of(RunStatus.CONTINUED, RunStatus.COMPLETED, RunStatus.CANCELLED)) {
            Held held = held("wf-" + status);
            accepted(signal(held.workflowId(), "k"));
            committed(held.commit(events(1), NextState.closed(status)));
            UUID next = started(replacing(pending(held.workflowId()), RunStatus.values()));
            assertThat(row(next).mail()).isEqualTo(1);
            assertThat(row(next).consumed()).isEqualTo(status == RunStatus.CONTINUED ? 0 : 1);
        }
    }

    @Test
    default void startThatMayNotReplaceAContinuedRunFindsIt() {
        Held held = held("a");
        continued(held, 0);
        accepted(signal("a", "k"));
        RunRow row = row(held.runId());
        assertThat(start(leased("a"))).isEqualTo(new StartOutcome.Exists(row));
        assertThat(start(replacing(leased("a"), RunStatus.COMPLETED, RunStatus.FAILED)))
                .isEqualTo(new StartOutcome.Exists(row));
    }

    @Test
    default void unreadMailPassesThroughManyGenerations() {
        UUID runId = started(successor("a"));
        for (int i = 1; i <= 20; i++) {
            accepted(signal("a", "open-" + i));
            continued(Held.of(row(runId)), i - 1);
            accepted(signal("a", "continued-" + i));
            runId = started(successor("a"));
            assertThat(row(runId).consumed()).isEqualTo(i - 1);
            assertThat(row(runId).mail()).isEqualTo(2L * i);
        }
        assertThat(mail("a")).hasSize(40);
    }

    @Test
    default void sameStartOfASuccessorAgainChangesNothing() {
        continued(held("a"), 0);
        accepted(signal("a", "k"));
        Start start = successor("a");
        started(start);
        committed(Held.consuming(Held.of(row(start.runId())).step(), 1));
        RunRow row = row(start.runId());
        assertThat(start(start)).isEqualTo(new StartOutcome.Exists(row));
        assertThat(row(start.runId())).isEqualTo(row);
    }

    @Test
    default void commitOfAContinuedRunIsFencedEvenAfterMailArrived() {
        Held held = held("a");
        Commit close = held.commit(events(1), NextState.closed(RunStatus.CONTINUED));
        committed(close);
        accepted(signal("a", "k"));
        assertThat(committed(close).mail()).isEqualTo(1);
        assertFenced(held.step());
        assertFenced(held.after(close).step());
        assertThat(row(held.runId()).mail()).isEqualTo(1);
    }

    @Test
    default void continuedRunIsNotPurgedBeforeItHasASuccessor() {
        Held held = held("a");
        accepted(signal("a", "k1"));
        continued(held, 1);
        accepted(signal("a", "k2"));
        closed("other", RunStatus.COMPLETED);
        tick();
        assertThat(purged()).isEqualTo(1);
        assertThat(row(held.runId()).mail()).isEqualTo(2);
        assertThat(history(held.runId())).hasSize(2);
        assertThat(mail("a")).hasSize(2);
        UUID next = started(successor("a"));
        tick();
        assertThat(purged()).isEqualTo(1);
        assertThat(store().run(SHARD, held.runId())).isEmpty();
        assertThat(history(held.runId())).isEmpty();
        assertThat(row(next).consumed()).isEqualTo(1);
        assertThat(store().mail(SHARD, "a", 1, 10))
                .extracting(InboxMessage::key)
                .containsExactly("k2");
        assertThat(deliver(signal("a", "k1"))).isEqualTo(new DeliverOutcome.Duplicate(1));
    }

    @Test
    default void inboxGoesWithTheLastOfAllGenerations() {
        UUID runId = started(successor("a"));
        for (int i = 1; i <= 5; i++) {
            accepted(signal("a", "k" + i));
            continued(Held.of(row(runId)), i);
            runId = started(successor("a"));
        }
        tick();
        assertThat(purged()).isEqualTo(5);
        assertThat(mail("a")).hasSize(5);
        committed(Held.of(row(runId)).close());
        tick();
        assertThat(purged()).isEqualTo(1);
        assertThat(mail("a")).isEmpty();
        assertThat(deliver(signal("a", "k1"))).isEqualTo(new DeliverOutcome.NoRun());
    }

    /** Ends generation after generation on one node while others send and purge: every item is read once, in order. */
    @Test
    default void mailIsNeverRefusedOrLostBetweenGenerations() throws Exception {
        int senders = 3;
        int each = 40;
        int items = senders * each;
        UUID first = started(successor("a"));
        List<List<Long>> read = Together.run(senders + 2, thread -> {
            if (thread == 0) {
                return generations(first, items);
            }
            if (thread == 1) {
                for (int i = 0; i < 30; i++) {
                    peer().purge(SHARD, now().plusSeconds(1), Optional.empty(), 100);
                }
            } else {
                for (int i = 0; i < each; i++) {
                    Delivery delivery = signal("a", thread + "-" + i);
                    assertThat(deliverUnlocked(storeOf(thread), delivery)).isInstanceOf(DeliverOutcome.Accepted.class);
                }
            }
            return List.of();
        });
        assertThat(read.get(0))
                .isEqualTo(LongStream.rangeClosed(1, items).boxed().toList());
        assertThat(mail("a")).hasSize(items);
    }

    /** Reads up to three items and continues as new, until all items are read. Returns their positions. */
    private List<Long> generations(UUID first, int items) {
        List<Long> read = new ArrayList<>();
        UUID runId = first;
        while (read.size() < items) {
            RunRow row = row(runId);
            List<InboxMessage> mail = store().mail(SHARD, "a", row.consumed(), 3);
            mail.forEach(item -> read.add(item.position()));
            long consumed = row.consumed() + mail.size();
            Commit close = Held.of(row).commit(events(1), NextState.closed(RunStatus.CONTINUED));
            assertThat(commitUnlocked(store(), Held.consuming(close, consumed)))
                    .isInstanceOf(CommitOutcome.Committed.class);
            Start next = successor("a");
            assertThat(startUnlocked(store(), next)).isInstanceOf(StartOutcome.Started.class);
            runId = next.runId();
        }
        return read;
    }

    @Test
    default void severalItemsForAContinuedRunAreAcceptedInOrder() {
        continued(held("a"), 0);
        List<DeliverOutcome> outcomes = store().deliver(SHARD, List.of(signal("a", "z"), signal("a", "b")), LEASE);
        assertThat(outcomes)
                .extracting(outcome -> ((DeliverOutcome.Accepted) outcome).position())
                .containsExactly(1L, 2L);
        UUID next = started(successor("a"));
        assertThat(row(next).consumed()).isZero();
        assertThat(row(next).mail()).isEqualTo(2);
    }
}
