package dev.dormouse.sqlite.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.sql.Epoch;
import dev.dormouse.sqlite.sql.RunRows;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.RunRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The delivery of an item to the inbox of a workflow id. Wakes its run. */
public final class Deliveries {
    static final String PUT = """
            insert into dormouse_inbox (shard, workflow_id, key, position, kind, accepted_at, payload)
            values (?, ?, ?, ?, ?, ?, ?)""";

    static final String KNOWN = """
            select coalesce(position, 0) from dormouse_inbox
            where shard = ? and workflow_id = ? and key = ?""";

    static final String COUNT = """
            update dormouse_run set mail = mail + 1
            where shard = ? and run_id = ?
            returning %s""".formatted(RunRows.COLUMNS);

    static final String COUNT_AND_WAKE = """
            update dormouse_run set mail = mail + 1, wake_at = min(coalesce(wake_at, ?1), ?1), wake_reason = ?2
            where shard = ?3 and run_id = ?4
            returning %s""".formatted(RunRows.COLUMNS);

    private Deliveries() {}

    public static DeliverOutcome apply(Tx tx, Delivery delivery, Duration leasePeriod) throws SQLException {
        if (!delivery.fence().holds(Epoch.ONLY, tx.at())) {
            return new DeliverOutcome.Fenced();
        }
        Optional<RunRow> found = RunStatements.current(tx.session(), tx.shard(), delivery.workflowId());
        if (found.isEmpty()) {
            return new DeliverOutcome.NoRun();
        }
        Optional<Long> known = known(tx, delivery);
        if (known.isPresent()) {
            return new DeliverOutcome.Duplicate(known.get());
        }
        RunRow run = found.get();
        if (!run.status().acceptsMessages()) {
            return new DeliverOutcome.RunClosed(run);
        }
        long position = run.mail() + 1;
        put(tx, delivery, position);
        return new DeliverOutcome.Accepted(tx.at(), position, counted(tx, run, leasePeriod), Epoch.ONLY);
    }

    private static Optional<Long> known(Tx tx, Delivery delivery) throws SQLException {
        return tx.call(KNOWN)
                .with(tx.shard())
                .with(delivery.workflowId())
                .with(delivery.key())
                .first(row -> row.getLong(1));
    }

    private static void put(Tx tx, Delivery delivery, long position) throws SQLException {
        tx.call(PUT)
                .with(tx.shard())
                .with(delivery.workflowId())
                .with(delivery.key())
                .with(position)
                .with(delivery.kind())
                .with(tx.now())
                .with(delivery.payload())
                .update();
    }

    /**
     * Counts the item and wakes the run. An earlier alarm is kept, so that an overdue run keeps its place among the due
     * runs.
     */
    private static RunRow counted(Tx tx, RunRow run, Duration leasePeriod) throws SQLException {
        if (run.status() == RunStatus.WAITING) {
            return wake(tx, run, tx.now(), WakeReason.MAIL);
        }
        if (run.status() == RunStatus.PARKED) {
            return wake(tx, run, tx.after(leasePeriod), run.wakeReason());
        }
        return tx.call(COUNT)
                .with(tx.shard())
                .with(run.runId())
                .all(RunRows::read)
                .get(0);
    }

    private static RunRow wake(Tx tx, RunRow run, long latest, WakeReason reason) throws SQLException {
        return tx.call(COUNT_AND_WAKE)
                .with(latest)
                .with(reason.code())
                .with(tx.shard())
                .with(run.runId())
                .all(RunRows::read)
                .get(0);
    }
}
