package dev.dormouse.sim;

import dev.dormouse.engine.Gate;
import dev.dormouse.store.Alarm;
import dev.dormouse.store.Append;
import dev.dormouse.store.Claim;
import dev.dormouse.store.Claimed;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.HistoryRow;
import dev.dormouse.store.Mail;
import dev.dormouse.store.NextState;
import dev.dormouse.store.Renewal;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.WakeReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The smallest engine there can be, to try the simulation with. Its one workflow takes a mail item, sleeps a little,
 * takes the next, and closes after the last.
 */
final class ToyNode {
    static final String LANE = "toy";
    static final Duration LEASE = Duration.ofSeconds(1);
    static final Duration NAP = Duration.ofMillis(50);
    static final int MAIL = 4;
    private static final Duration GRACE = Duration.ofMillis(300);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final SimNode node;
    private final Store store;
    private final Runnable onTakeover;
    private final Map<UUID, Long> held = new LinkedHashMap<>();

    ToyNode(SimNode node, Store store, Runnable onTakeover) {
        this.node = node;
        this.store = store;
        this.onTakeover = onTakeover;
        node.threads().startEngine("claim", () -> repeat(PAUSE, this::claim));
        node.threads().startEngine("renew", () -> repeat(LEASE.dividedBy(3), this::renew));
    }

    private void repeat(Duration interval, Runnable work) {
        Gate gate = node.threads().newGate();
        while (true) {
            try {
                work.run();
            } catch (StoreException again) {
                gate.pass(PAUSE);
            }
            gate.pass(interval);
        }
    }

    private void claim() {
        Claim claim = new Claim(
                List.of(LANE), 3, newLease(), LEASE, node.name(), "", Duration.ZERO, true, Instant.EPOCH);
        for (Claimed.Run run : store.claim(0, claim).runs()) {
            if (run.before() == RunStatus.RUNNING || run.before() == RunStatus.PARKED) {
                onTakeover.run();
            }
            held.put(run.row().runId(), run.row().lease());
            node.threads().startCode("run", () -> execute(run.row()));
        }
    }

    private long newLease() {
        return node.random().nextLong() | 1;
    }

    private void renew() {
        List<Renewal> renewals = held.entrySet().stream()
                .map(run -> new Renewal(run.getKey(), run.getValue()))
                .toList();
        store.renew(0, renewals, LEASE);
    }

    private void execute(RunRow row) {
        try {
            List<HistoryRow> history = store.histories(0, List.of(row.runId()));
            new ToyRun(row, history.get(history.size() - 1)).execute();
        } catch (StoreException givenUp) {
            // the lease ends by itself
        } finally {
            held.remove(row.runId(), row.lease());
        }
    }

    /** One run while this node executes it. */
    private final class ToyRun {
        private final UUID runId;
        private final String workflowId;
        private final Gate gate = node.threads().newGate();
        private long lease;
        private int nextSeq;
        private long consumed;
        private long checksum;
        private boolean isAwake;
        private Instant last;

        ToyRun(RunRow row, HistoryRow lastEvent) {
            runId = row.runId();
            workflowId = row.workflowId();
            lease = row.lease();
            nextSeq = row.nextSeq();
            consumed = row.consumed();
            checksum = row.checksum();
            last = lastEvent.at();
            isAwake = nextSeq % 2 == 1;
        }

        void execute() {
            boolean goesOn = true;
            while (goesOn) {
                if (!isAwake) {
                    goesOn = nap();
                } else {
                    List<Mail> mail = store.mail(0, workflowId, consumed, 1);
                    goesOn = mail.isEmpty() ? suspend(Alarm.NONE) : take(mail.get(0));
                }
            }
        }

        private boolean take(Mail mail) {
            boolean applied = append("mail " + mail.key(), mail.position(), Instant.EPOCH, running());
            isAwake &= !applied;
            return applied;
        }

        private NextState running() {
            return NextState.running(lease, LEASE);
        }

        /** Sleeps in memory or as a row, and records the end of it, which may be the end of the run. */
        private boolean nap() {
            Instant deadline = last.plus(NAP);
            if (node.random().nextInt(3) == 0) {
                return wakeUp(deadline) || suspend(new Alarm.At(deadline));
            }
            long parkLease = newLease();
            CommitOutcome parked = commit(nothing(NextState.parked(parkLease, deadline.plus(GRACE))));
            if (!(parked instanceof CommitOutcome.Committed)) {
                return false;
            }
            held.remove(runId, lease);
            lease = parkLease;
            gate.pass(NAP);
            return wakeUp(deadline);
        }

        private boolean wakeUp(Instant deadline) {
            NextState next = nextSeq == 2 * MAIL ? NextState.closed(RunStatus.COMPLETED) : running();
            isAwake = append("woke " + deadline, consumed, deadline, next);
            last = isAwake ? last : deadline.minus(NAP);
            if (isAwake && next.lease() != RunRow.NO_LEASE) {
                held.put(runId, lease);
            }
            return isAwake && next.lease() != RunRow.NO_LEASE;
        }

        private boolean suspend(Alarm alarm) {
            Commit commit = nothing(NextState.waiting(alarm, WakeReason.TIMER));
            Fence fence = commit.fence().withMail(alarm == Alarm.NONE ? consumed : Fence.ANY_MAIL);
            return commit(new Commit(runId, fence, commit.append(), consumed, commit.next(), List.of()))
                    instanceof CommitOutcome.NewMail;
        }

        private Commit nothing(NextState next) {
            return new Commit(
                    runId, Fence.of(lease, nextSeq), Append.nothing(checksum), consumed, next, List.of());
        }

        private boolean append(String text, long position, Instant notBefore, NextState next) {
            long sum = checksum * 31 + text.hashCode();
            Append event = new Append(1, text.getBytes(StandardCharsets.UTF_8), sum);
            Fence fence = Fence.of(lease, nextSeq).notBefore(notBefore);
            CommitOutcome outcome = commit(new Commit(runId, fence, event, position, next, List.of()));
            if (outcome instanceof CommitOutcome.Committed committed) {
                nextSeq++;
                consumed = position;
                checksum = sum;
                last = committed.at();
            }
            return outcome instanceof CommitOutcome.Committed;
        }

        /** Sends a commit until its outcome is known; one that is too early is tried again a little later. */
        private CommitOutcome commit(Commit commit) {
            CommitOutcome outcome = store.commit(0, List.of(commit)).get(0);
            while (outcome instanceof CommitOutcome.Unknown
                    || outcome instanceof CommitOutcome.Locked
                    || outcome instanceof CommitOutcome.TooEarly && commit.next().status() != RunStatus.WAITING) {
                gate.pass(Duration.ofMillis(1));
                outcome = store.commit(0, List.of(commit)).get(0);
            }
            return outcome;
        }
    }
}
