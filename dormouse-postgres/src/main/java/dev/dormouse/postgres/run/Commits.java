package dev.dormouse.postgres.run;

import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The commit protocol: one statement for the batch, and a second one only for commits that were not applied. */
public final class Commits {
    private static final Batch.Verdicts<CommitOutcome> VERDICTS =
            new Batch.Verdicts<>(new CommitOutcome.Locked(), CommitOutcome.Rejected::new, CommitOutcome.Unknown::new);

    private final Pools pools;
    private final CommitStatement commit;
    private final SingleCommit single;
    private final CommitExplanation explanation;

    public Commits(Pools pools, Schema schema, Epoch epoch) {
        this.pools = pools;
        this.commit = new CommitStatement(schema, epoch);
        this.single = new SingleCommit(schema, epoch);
        this.explanation = new CommitExplanation(schema, epoch);
    }

    public List<CommitOutcome> send(int shard, List<Commit> batch) {
        return new Batch<Commit, CommitOutcome>(entries -> commit(shard, entries), VERDICTS).send(batch);
    }

    /** Begins a transaction for a user's statements and one commit. */
    public StoreTransaction begin(int shard) {
        try {
            return PostgresTransaction.begin(pools.users(), shard, commit, explanation);
        } catch (SQLException e) {
            throw SqlErrors.unavailable(e);
        }
    }

    private List<CommitOutcome> commit(int shard, List<Commit> entries) throws SQLException {
        Outcomes<Commit, CommitOutcome> outcomes = new Outcomes<>(entries);
        try (Connection connection = pools.work().getConnection()) {
            try {
                Instant now = write(connection, shard, entries, outcomes);
                if (!outcomes.isComplete()) {
                    explain(connection, shard, now, outcomes);
                }
            } catch (SQLException e) {
                if (entries.size() > 1 || !SqlErrors.state(e).equals(SqlErrors.UNIQUE_VIOLATION)) {
                    throw e; // in a larger batch, the entry is found by the pieces
                }
                explainConflict(connection, shard, e, outcomes);
            }
        }
        return outcomes.all();
    }

    /** Puts an outcome for each commit that was applied, and returns the clock by which the others are explained. */
    private Instant write(
            Connection connection, int shard, List<Commit> entries, Outcomes<Commit, CommitOutcome> outcomes)
            throws SQLException {
        return entries.size() == 1 && SingleCommit.suits(entries.get(0))
                ? single.run(connection, shard, entries.get(0), outcomes)
                : commit.run(connection, shard, entries, outcomes);
    }

    /** Explains a commit whose position in the history was taken by an append at the same moment. */
    private void explainConflict(
            Connection connection, int shard, SQLException conflict, Outcomes<Commit, CommitOutcome> outcomes)
            throws SQLException {
        explain(connection, shard, Instant.MAX, outcomes);
        if (outcomes.all().get(0) instanceof CommitOutcome.Locked) {
            throw conflict; // of another key
        }
    }

    private void explain(Connection connection, int shard, Instant now, Outcomes<Commit, CommitOutcome> outcomes) {
        try {
            explanation.run(connection, shard, now, outcomes);
        } catch (SQLException e) {
            outcomes.complete(entry -> VERDICTS.unknown().apply(SqlErrors.unavailable(e)));
        }
    }
}
