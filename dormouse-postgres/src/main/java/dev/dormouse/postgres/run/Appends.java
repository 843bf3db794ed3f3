package dev.dormouse.postgres.run;

import dev.dormouse.postgres.connect.Pools;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.HistoryAppend;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * The append protocol: one statement inserts all rows of history whose positions are free. If that is not all of them, a
 * second statement reads what is at the positions.
 */
public final class Appends {
    private static final Batch.Verdicts<CommitOutcome> VERDICTS =
            new Batch.Verdicts<>(new CommitOutcome.Locked(), CommitOutcome.Rejected::new, CommitOutcome.Unknown::new);

    private final Pools pools;
    private final AppendStatement append;
    private final SingleAppend single;
    private final AppendExplanation explanation;

    public Appends(Pools pools, Schema schema, Epoch epoch) {
        this.pools = pools;
        this.append = new AppendStatement(schema, epoch);
        this.single = new SingleAppend(schema, epoch);
        this.explanation = new AppendExplanation(schema, epoch);
    }

    public List<CommitOutcome> send(int shard, List<HistoryAppend> batch) {
        return new Batch<HistoryAppend, CommitOutcome>(entries -> append(shard, entries), VERDICTS).send(batch);
    }

    private List<CommitOutcome> append(int shard, List<HistoryAppend> entries) throws SQLException {
        try (Connection connection = pools.work().getConnection()) {
            AppendStatement.Result result = entries.size() == 1
                    ? single.run(connection, shard, entries.get(0))
                    : append.run(connection, shard, entries);
            return result.inserted() == entries.size()
                    ? Collections.nCopies(entries.size(), appended(result.at()))
                    : explanation.run(connection, shard, entries);
        }
    }

    static CommitOutcome appended(Instant at) {
        return new CommitOutcome.Committed(at, CommitOutcome.MAIL_NOT_READ);
    }
}
