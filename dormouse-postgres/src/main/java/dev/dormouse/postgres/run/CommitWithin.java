package dev.dormouse.postgres.run;

import dev.dormouse.postgres.notify.NoticeCodec;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * A commit in a user's transaction, on the user's connection. Like {@link StartWithin} it changes nothing else of the
 * connection, except that the transaction becomes durable. The run's row is locked until the transaction ends. The
 * notification becomes visible with the user's commit.
 */
public final class CommitWithin {
    private final CommitStatement commit;
    private final CommitExplanation explanation;
    private final String channel;

    public CommitWithin(Schema schema, Epoch epoch) {
        this.commit = CommitStatement.within(schema, epoch);
        this.explanation = new CommitExplanation(schema, epoch);
        this.channel = schema.channel();
    }

    public CommitOutcome run(Connection connection, int shard, String lane, Commit wanted) {
        try {
            Outcomes<Commit, CommitOutcome> outcomes = new Outcomes<>(List.of(wanted));
            Instant now = commit.run(connection, shard, List.of(wanted), outcomes);
            if (!outcomes.isComplete()) {
                explanation.run(connection, shard, now, outcomes);
            } else if (wanted.next().alarm() instanceof Alarm.At alarm) {
                announce(connection, NoticeCodec.alarmSetPrefix(shard, lane) + Micros.of(alarm.instant()));
            }
            return outcomes.all().get(0);
        } catch (SQLException e) {
            StoreException failed = SqlErrors.isBadEntry(e) ? SqlErrors.rejected(e) : SqlErrors.unavailable(e);
            throw failed;
        }
    }

    private void announce(Connection connection, String notice) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select pg_catalog.pg_notify(?, ?)")) {
            new Params(statement).text(channel).text(notice);
            statement.execute();
        }
    }
}
