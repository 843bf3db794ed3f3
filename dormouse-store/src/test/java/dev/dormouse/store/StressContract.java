package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.forPeriod;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.pending;
import static dev.dormouse.store.Samples.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Nodes with leases that expire all the time execute a few runs while others send mail to them. Every mail item becomes
 * one event, and a run closes when it has received all its mail. Afterwards no item may be lost, doubled or out of
 * order.
 */
interface StressContract extends ConcurrencyContract {
    int RUNS = 6;
    int WORKERS = 4;
    int SENDERS = 2;
    int MAIL_OF_EACH_SENDER = 8;
    int MAIL = SENDERS * MAIL_OF_EACH_SENDER;

    /** The outcomes of the commits that the workers sent. */
    record Answers(Set<Long> committed, Set<Long> refused) {}

    @Test
    default void nothingIsLostOrDoubledUnderStress() throws Exception {
        List<UUID> runs = IntStream.range(0, RUNS)
                .mapToObj(i -> started(pending("wf-" + i)))
                .toList();
        Answers answers = new Answers(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        Together.run(WORKERS + SENDERS, thread -> {
            if (thread < WORKERS) {
                work(storeOf(thread), runs, answers);
            } else {
                send(storeOf(thread), thread);
            }
            return null;
        });
        runs.forEach(runId -> assertWhole(runId, answers));
    }

    private void send(Store store, int sender) {
        for (int i = 0; i < MAIL_OF_EACH_SENDER; i++) {
            for (int run = 0; run < RUNS; run++) {
                Delivery delivery = signal("wf-" + run, sender + "-" + i);
                assertThat(deliverUnlocked(store, delivery)).isInstanceOf(DeliverOutcome.Accepted.class);
                if (ThreadLocalRandom.current().nextInt(4) == 0) {
                    assertThat(deliverUnlocked(store, delivery)).isInstanceOf(DeliverOutcome.Duplicate.class);
                }
            }
        }
    }

    private void work(Store store, List<UUID> runs, Answers answers) {
        while (store.runs(SHARD, runs).stream().anyMatch(row -> !row.status().isClosed())) {
            Duration lease = Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, 6));
            List<Claimed.Run> claimed =
                    store.claim(SHARD, forPeriod(Samples.claim(2), lease)).runs();
            claimed.forEach(run -> carryOn(store, run.row(), answers));
            tick();
        }
    }

    /** Executes a run until it is suspended, closed or lost. */
    private void carryOn(Store store, RunRow row, Answers answers) {
        Held held = Held.of(row);
        for (boolean isHeld = true; isHeld; ) {
            List<InboxMessage> mail = store.mail(SHARD, held.workflowId(), held.consumed(), 3);
            Commit commit = mail.isEmpty() ? suspend(held) : consume(held, mail);
            CommitOutcome outcome = commitUnlocked(store, commit);
            note(commit, outcome, answers);
            boolean applied = outcome instanceof CommitOutcome.Committed;
            isHeld = outcome instanceof CommitOutcome.NewMail
                    || (applied && commit.next().lease() != RunRow.NO_LEASE);
            held = applied ? held.after(commit) : held;
        }
    }

    /** Returns a commit that suspends the run, until mail arrives or for a short time. */
    private static Commit suspend(Held held) {
        Alarm alarm = ThreadLocalRandom.current().nextBoolean() ? Alarm.NONE : new Alarm.In(Duration.ofMillis(1));
        Commit suspend = held.becoming(NextState.waiting(alarm, WakeReason.TIMER));
        return Held.with(suspend, held.fence().withMail(held.consumed()));
    }

    private static Commit consume(Held held, List<InboxMessage> mail) {
        long last = mail.get(mail.size() - 1).position();
        NextState next = last == MAIL ? NextState.closed(RunStatus.COMPLETED) : NextState.running(held.lease());
        String keys = String.join(" ", mail.stream().map(InboxMessage::key).toList());
        Append events = new Append(mail.size(), bytes(keys), newLease());
        return Held.consuming(held.commit(events, next), last);
    }

    private static void note(Commit commit, CommitOutcome outcome, Answers answers) {
        assertThat(outcome)
                .isInstanceOfAny(
                        CommitOutcome.Committed.class, CommitOutcome.Fenced.class, CommitOutcome.NewMail.class);
        if (commit.append().count() > 0) {
            boolean applied = outcome instanceof CommitOutcome.Committed;
            (applied ? answers.committed() : answers.refused())
                    .add(commit.append().checksum());
        }
    }

    private void assertWhole(UUID runId, Answers answers) {
        RunRow row = row(runId);
        List<HistoryRow> history = history(runId);
        List<String> keys = new ArrayList<>();
        int seq = 1;
        for (HistoryRow events : history.subList(1, history.size())) {
            assertThat(events.seq()).isEqualTo(seq);
            assertThat(answers.committed()).contains(events.checksum());
            assertThat(answers.refused()).doesNotContain(events.checksum());
            keys.addAll(List.of(new String(events.payload(), StandardCharsets.UTF_8).split(" ")));
            seq += events.count();
        }
        List<InboxMessage> mail = mail(row.workflowId());
        assertThat(mail)
                .extracting(InboxMessage::position)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, MAIL).boxed().toList());
        assertThat(keys).isEqualTo(mail.stream().map(InboxMessage::key).toList());
        assertThat(row.nextSeq()).isEqualTo(seq).isEqualTo(MAIL + 1);
        assertThat(row.checksum()).isEqualTo(history.get(history.size() - 1).checksum());
        assertThat(List.of(row.mail(), row.consumed())).containsOnly((long) MAIL);
    }
}
