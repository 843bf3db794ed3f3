package dev.dormouse.postgres.run;

import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The deliver protocol: one statement for the batch, and a second one only for items that were not delivered. */
public final class Deliveries {
    private static final Batch.Verdicts<DeliverOutcome> VERDICTS = new Batch.Verdicts<>(
            new DeliverOutcome.Locked(), DeliverOutcome.Rejected::new, DeliverOutcome.Unknown::new);

    private final Pools pools;
    private final DeliverStatement deliver;
    private final DeliverExplanation explanation;

    public Deliveries(Pools pools, Schema schema, Epoch epoch) {
        this.pools = pools;
        this.deliver = new DeliverStatement(schema, epoch);
        this.explanation = new DeliverExplanation(schema, epoch);
    }

    public List<DeliverOutcome> send(int shard, List<Delivery> batch, Duration leasePeriod) {
        return new Batch<Delivery, DeliverOutcome>(entries -> deliver(shard, entries, leasePeriod), VERDICTS)
                .send(batch);
    }

    private List<DeliverOutcome> deliver(int shard, List<Delivery> entries, Duration leasePeriod) throws SQLException {
        Outcomes<Delivery, DeliverOutcome> outcomes = new Outcomes<>(entries);
        try (Connection connection = pools.work().getConnection()) {
            try {
                deliver.run(connection, shard, entries, leasePeriod, outcomes);
            } catch (SQLException e) {
                throwUnlessTaken(e, entries);
            }
            if (!outcomes.isComplete()) {
                explain(connection, shard, outcomes);
            }
        }
        return outcomes.all();
    }

    /**
     * Ignores a unique violation of a single entry: a session that did not lock the run's row, such as a user's
     * transaction, has just inserted the same key.
     */
    private static void throwUnlessTaken(SQLException e, List<Delivery> entries) throws SQLException {
        if (entries.size() > 1 || !SqlErrors.state(e).equals(SqlErrors.UNIQUE_VIOLATION)) {
            throw e;
        }
    }

    private void explain(Connection connection, int shard, Outcomes<Delivery, DeliverOutcome> outcomes) {
        try {
            explanation.run(connection, shard, outcomes);
        } catch (SQLException e) {
            outcomes.complete(entry -> VERDICTS.unknown().apply(SqlErrors.unavailable(e)));
        }
    }
}
