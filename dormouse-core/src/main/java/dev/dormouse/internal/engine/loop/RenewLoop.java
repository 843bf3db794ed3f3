package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.CrashLoopGuard;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The loop that renews the leases of executing runs: one statement for each shard in each third of a lease period, and
 * at once on request. After a failure it tries again within a second, so that leases are renewed soon after an outage.
 * It skips runs that came into memory less than half a renewal period ago. So short runs are never renewed, and all
 * others are first renewed after half a lease period at the latest. It also stops runs that have lost their lease, and
 * finds mail whose notice was lost.
 *
 * <p>Any thread may call {@link #doubt} and {@link #close}; everything else runs on the loop's thread. Requests to
 * renew at once arrive through {@link NodeContext#contact}. Guaranteed: a request during a renewal is served in the
 * next turn. A notice that a lease is lost is only a hint, which is checked with the store.
 */
public final class RenewLoop extends StoreLoop {
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(200);
    private static final Duration LAST_BACK_OFF = Duration.ofSeconds(1);

    private final RunTable table;
    private final FailoverRecovery recovery;
    private final CrashLoopGuard crashLoops;
    private final Duration period;
    private final BackOff backOff = new BackOff(FIRST_BACK_OFF, LAST_BACK_OFF);
    private final Set<LocalRun> doubted = ConcurrentHashMap.newKeySet();
    private long next;

    public RenewLoop(NodeContext context, RunTable table, FailoverRecovery recovery, CrashLoopGuard crashLoops) {
        super(context, context.contact().renewGate());
        this.table = table;
        this.recovery = recovery;
        this.crashLoops = crashLoops;
        this.period = context.guard().renewPeriod();
    }

    /** Checks with the store whether a run has lost its lease, as another node claims. */
    public void doubt(LocalRun run) {
        doubted.add(run);
        wake();
    }

    @Override
    public void run() {
        next = context.threads().nanoTime() + period.toNanos();
        super.run();
    }

    @Override
    protected void turn() {
        await(Duration.ofNanos(Math.max(0, next - context.threads().nanoTime())));
        if (!attempt("Renewing leases failed; trying again", this::renewIfDue)) {
            next = context.threads().nanoTime() + backOff.next().toNanos();
        }
    }

    private void renewIfDue() {
        long sent = context.threads().nanoTime();
        boolean isDue = next - sent <= 0;
        boolean isWanted = context.contact().takeRenewNow();
        checkDoubted();
        if (isDue || isWanted) {
            renewAll(isWanted ? 0 : period.toNanos() / 2);
            context.guard().renewed(sent);
            backOff.reset();
            next = context.threads().nanoTime() + period.toNanos();
        }
    }

    /**
     * Stops runs whose lease is gone. The notice is only a hint, because every role that can connect to the database
     * can send one.
     */
    private void checkDoubted() {
        List<LocalRun> runs = List.copyOf(doubted);
        for (LocalRun run : runs) {
            doubted.remove(run);
            long lease = run.lease();
            RunRow row = rowOf(run);
            boolean isGone = row == null || !run.mayBeUnder(row.lease()); // its own commit changes the lease too
            if (isGone && run.lease() == lease) {
                run.stop();
                recovery.fenced(run.shard(), run.runId(), Set.of(lease));
            }
        }
    }

    private @Nullable RunRow rowOf(LocalRun run) {
        try {
            return context.store().run(run.shard(), run.runId()).orElse(null);
        } catch (StoreException noAnswer) {
            doubted.add(run); // until the store has answered
            throw noAnswer;
        }
    }

    private void renewAll(long heldFor) {
        Map<Integer, Map<LocalRun, Renewal>> byShard = new HashMap<>();
        for (LocalRun run : table.all(held -> held.isHeldFor(heldFor))) {
            long lease = run.renewableLease();
            if (lease != RunRow.NO_LEASE) {
                byShard.computeIfAbsent(run.shard(), shard -> new LinkedHashMap<>())
                        .put(run, new Renewal(run.runId(), lease));
            }
        }
        byShard.forEach(this::renew);
        if (byShard.isEmpty() && context.guard().isStalled()) {
            probe();
        }
    }

    /** Checks whether the store answers again, if there is nothing to renew. */
    private void probe() {
        long sent = context.threads().nanoTime();
        context.observe(context.store().now(0), sent);
    }

    private void renew(int shard, Map<LocalRun, Renewal> renewals) {
        long sent = context.threads().nanoTime();
        List<LocalRun> onProbation =
                renewals.keySet().stream().filter(LocalRun::isOnProbation).toList();
        Renewed renewed = context.store()
                .renew(shard, List.copyOf(renewals.values()), context.settings().leasePeriod());
        context.observe(renewed.now(), sent);
        renewals.forEach((run, renewal) -> {
            Long mail = renewed.mail().get(run.runId());
            if (mail == null) {
                run.lost(renewal.lease());
                recovery.fenced(shard, run.runId(), Set.of(renewal.lease()));
            } else {
                run.messagesArrived(mail);
            }
        });
        onProbation.forEach(run -> crashLoops.release(run.runId())); // not runs that begin because of this release
    }
}
