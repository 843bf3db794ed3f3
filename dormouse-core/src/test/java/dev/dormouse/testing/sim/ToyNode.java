package dev.dormouse.testing.sim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
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
                List.of(LANE), 3, newLease(), LEASE, node.name(), "", Duration.ZERO, Micros.MAX, Instant.EPOCH);
        for (Claimed.Run run : store.claim(0, claim).runs()) {
            if (run.before() == RunStatus.RUNNING || run.before() == RunStatus.PARKED) {
                onTakeover.run();
            }
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
        private Instant last;

        ToyRun(RunRow row, HistoryRow lastEvent) {
            runId = row.runId();
            workflowId = row.workflowId();
            lease = row.lease();
            nextSeq = row.nextSeq();
            consumed = row.consumed();
            checksum = row.checksum();
            last = lastEvent.at();
        }

        void execute() {
            held.put(runId, lease);
            try {
                boolean goesOn = true;
                while (goesOn) {
                    goesOn = nextSeq % 2 == 0 ? nap() : takeMail();
                }
            } finally {
                held.remove(runId, lease);
            }
        }

        private boolean takeMail() {
            List<InboxMessage> mail = store.mail(0, workflowId, consumed, 1);
            if (mail.isEmpty()) {
                return suspend(Alarm.NONE, consumed) instanceof CommitOutcome.NewMail;
            }
            consumed = mail.get(0).position();
            NextState next = NextState.running(lease, LEASE);
            return append("mail " + mail.get(0).key(), Instant.EPOCH, next) instanceof CommitOutcome.Committed;
        }

        /** Records the end of the nap, which may be the end of the run; where it is too early for that, sleeps. */
        private boolean nap() {
            Instant deadline = last.plus(NAP);
            boolean isLast = nextSeq == 2 * MAIL;
            NextState next = isLast ? NextState.closed(RunStatus.COMPLETED) : NextState.running(lease, LEASE);
            CommitOutcome outcome = append("woke " + deadline, deadline, next);
            if (!(outcome instanceof CommitOutcome.TooEarly)) {
                return outcome instanceof CommitOutcome.Committed && !isLast;
            }
            if (node.random().nextBoolean()) {
                return park(deadline);
            }
            suspend(new Alarm.At(deadline), Fence.ANY_MAIL);
            return false;
        }

        /** Sleeps in memory. */
        private boolean park(Instant deadline) {
            long parkLease = newLease();
            NextState parked = NextState.parked(parkLease, deadline.plus(GRACE));
            boolean isParked = commit(nothing(parked, Fence.ANY_MAIL)) instanceof CommitOutcome.Committed;
            held.remove(runId, lease);
            lease = parkLease;
            if (isParked) {
                gate.pass(NAP);
            }
            return isParked;
        }

        /** Sleeps as a row. */
        private CommitOutcome suspend(Alarm alarm, long mail) {
            return commit(nothing(NextState.waiting(alarm, WakeReason.TIMER), mail));
        }

        private Commit nothing(NextState next, long mail) {
            Fence fence = Fence.of(lease, nextSeq).withMail(mail);
            return new Commit(runId, fence, Append.nothing(checksum), consumed, next, List.of());
        }

        private CommitOutcome append(String text, Instant notBefore, NextState next) {
            long sum = checksum * 31 + text.hashCode();
            Append event = new Append(1, text.getBytes(StandardCharsets.UTF_8), sum);
            Fence fence = Fence.of(lease, nextSeq).notBefore(notBefore);
            CommitOutcome outcome = commit(new Commit(runId, fence, event, consumed, next, List.of()));
            if (outcome instanceof CommitOutcome.Committed committed) {
                nextSeq++;
                checksum = sum;
                last = committed.at();
                held.put(runId, lease);
            }
            return outcome;
        }

        /** Repeats a commit until its outcome is known. */
        private CommitOutcome commit(Commit commit) {
            CommitOutcome outcome = store.commit(0, List.of(commit)).get(0);
            while (outcome instanceof CommitOutcome.Unknown || outcome instanceof CommitOutcome.Locked) {
                gate.pass(Duration.ofMillis(1));
                outcome = store.commit(0, List.of(commit)).get(0);
            }
            return outcome;
        }
    }
}
