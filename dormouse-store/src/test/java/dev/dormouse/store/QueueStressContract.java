package dev.dormouse.store;

import static dev.dormouse.store.QueueAsk.LANE_A;
import static dev.dormouse.store.QueueAsk.LANE_B;
import static dev.dormouse.store.QueueAsk.QUEUE;
import static dev.dormouse.store.QueueAsk.queued;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.newLease;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Nodes claim, renew, park and close runs of a queue with a limit of five, concurrently. There is never a sixth lease.
 */
interface QueueStressContract extends ConcurrencyContract, QueueContract {
    int TOTAL = 5;
    int NODES = 6;
    int QUEUED_RUNS = 60;

    private void startMany() {
        for (int i = 0; i < QUEUED_RUNS; i++) {
            started(queued("wf-" + i, i % 2 == 0 ? LANE_A : LANE_B, new Queued(QUEUE, i % 3, "")));
        }
    }

    /** Returns a claim for a node: half of the nodes serve one lane, the others both. */
    private QueueAsk askAs(int node) {
        return node < NODES / 2 ? ask().lanes(LANE_B).total(TOTAL) : ask().total(TOTAL);
    }

    /** Returns all rows as of one moment. */
    private List<RunRow> look(Store store) {
        List<RunRow> rows = store.list(SHARD, RunFilter.ALL, Optional.empty(), 10 * QUEUED_RUNS)
                .runs();
        assertThat(rows).hasSize(QUEUED_RUNS);
        assertThat(rows.stream().filter(row -> row.lease() != RunRow.NO_LEASE))
                .as("leases, whether they have ended or not")
                .hasSizeLessThanOrEqualTo(TOTAL);
        return rows;
    }

    private boolean isOver(Store store) {
        return look(store).stream().allMatch(row -> row.status().isClosed());
    }

    @Test
    default void atMostFiveExecuteAtATime() throws Exception {
        startMany();
        AtomicInteger executing = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Together.run(NODES, node -> {
            while (!isOver(storeOf(node))) {
                QueueClaimed claimed = askAs(node).limit(2).of(storeOf(node));
                most.accumulateAndGet(executing.addAndGet(claimed.runs().size()), Math::max);
                for (Claimed.Run run : claimed.runs()) {
                    executing.decrementAndGet();
                    Commit close = Held.of(run.row()).close();
                    assertThat(commitUnlocked(storeOf(node), close)).isInstanceOf(CommitOutcome.Committed.class);
                }
            }
            return null;
        });
        assertThat(most).hasValueBetween(1, TOTAL);
        assertThat(look(store())).allMatch(row -> row.takeovers() == 0);
    }

    @Test
    default void thereIsNeverASixthLeaseAlthoughLeasesEndAllTheTimeAndAreRenewedLate() throws Exception {
        startMany();
        Together.run(NODES, node -> {
            Store store = storeOf(node);
            while (!isOver(store)) {
                Duration period = Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, 6));
                QueueAsk some = askAs(node).limit(3).leasePeriod(period);
                QueueClaimed claimed = (node % 3 == 0 ? some : some.onlyNew()).of(store);
                claimed.runs().forEach(run -> carryOn(store, Held.of(run.row())));
                look(store);
                tick();
            }
            return null;
        });
    }

    /** Continues a run for a while, often after its lease has expired, until it is closed, released or lost. */
    private void carryOn(Store store, Held claimed) {
        Held held = claimed;
        for (int step = 0; step < 8; step++) {
            look(store);
            tick();
            Duration period = Duration.ofMillis(2);
            Commit commit = switch (ThreadLocalRandom.current().nextInt(6)) {
                case 0 -> held.commit(Samples.events(1), NextState.running(held.lease(), period));
                case 1 -> held.park(newLease(), now().plus(period));
                case 2 -> held.suspend(new Alarm.In(period));
                case 3 -> held.close();
                default -> null;
            };
            if (commit == null) {
                store.renew(SHARD, List.of(new Renewal(held.runId(), held.lease())), period);
            } else if (!(commitUnlocked(store, commit) instanceof CommitOutcome.Committed)
                    || commit.next().lease() == RunRow.NO_LEASE) {
                return;
            } else {
                held = held.after(commit);
            }
        }
    }
}
