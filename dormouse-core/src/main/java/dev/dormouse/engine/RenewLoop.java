package dev.dormouse.engine;

import dev.dormouse.store.Renewal;
import dev.dormouse.store.Renewed;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Renews the leases of executing runs, one statement for each third of a lease period, and at once when the store is
 * back after it was away. Runs that turn out to be lost are stopped; mail that nobody told of is noticed.
 */
final class RenewLoop implements Runnable {
    private static final Duration BACK_OFF = Duration.ofMillis(200);

    private final Engine engine;
    private final Gate gate;
    private volatile boolean closed;

    RenewLoop(Engine engine) {
        this.engine = engine;
        this.gate = engine.threads().newGate();
    }

    /** Renews now. */
    void wake() {
        gate.open();
    }

    void close() {
        closed = true;
        gate.open();
    }

    @Override
    public void run() {
        Duration wait = engine.guard().renewPeriod();
        while (!closed) {
            boolean woken = gate.pass(wait);
            try {
                renewAll(woken ? 0 : engine.guard().renewPeriod().toNanos());
                engine.guard().renewed();
                wait = engine.guard().renewPeriod();
            } catch (StoreException noAnswer) {
                engine.stalled();
                wait = BACK_OFF;
            }
        }
    }

    private void renewAll(long heldFor) {
        Map<Integer, List<RunExecution>> byShard = new HashMap<>();
        for (RunExecution run : engine.table().all(held -> held.isHeldFor(heldFor))) {
            byShard.computeIfAbsent(run.shard(), shard -> new ArrayList<>()).add(run);
        }
        byShard.forEach(this::renew);
    }

    private void renew(int shard, List<RunExecution> runs) {
        Map<RunExecution, Renewal> renewals = new LinkedHashMap<>();
        for (RunExecution run : runs) {
            long lease = run.renewableLease();
            if (lease != RunRow.NO_LEASE) {
                renewals.put(run, new Renewal(run.runId(), lease));
            }
        }
        if (!renewals.isEmpty()) {
            renew(shard, renewals);
        }
    }

    private void renew(int shard, Map<RunExecution, Renewal> renewals) {
        long sent = engine.threads().nanoTime();
        Renewed renewed =
                engine.store().renew(shard, List.copyOf(renewals.values()), engine.settings().leasePeriod());
        engine.observe(renewed.now(), sent);
        renewals.forEach((run, renewal) -> {
            Long mail = renewed.mail().get(run.runId());
            if (mail == null) {
                run.lost(renewal.lease());
            } else {
                run.mailArrived(mail);
            }
        });
    }
}
