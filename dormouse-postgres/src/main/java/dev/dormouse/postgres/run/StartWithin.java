package dev.dormouse.postgres.run;

import dev.dormouse.postgres.connect.SessionSettings;
import dev.dormouse.postgres.notify.NoticeCodec;
import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A start in a user's transaction, on the user's connection. It changes nothing else of the connection, except that a
 * transaction with {@code synchronous_commit = off} is committed durably, like every start. It locks only the row that
 * it inserts, and so replaces no run: a workflow id that is taken stays taken. The notification becomes visible with
 * the user's commit.
 *
 * <p>If another open transaction has just inserted the same workflow id, this waits for its end, like any insert into a
 * unique index.
 */
public final class StartWithin {
    private final String sql;
    private final String channel;
    private final StartExplanation explanation;

    public StartWithin(Schema schema, Epoch epoch) {
        this.channel = schema.channel();
        this.explanation = new StartExplanation(schema, epoch);
        this.sql = schema.sql(epoch.sql(StartStatement.INSERT) + """
                        select created_at, case when wake_at is not null then pg_catalog.pg_notify(?, ? || wake_at) end,
                          %s
                        from ins
                        """.formatted(SessionSettings.DURABLE));
    }

    public StartOutcome run(Connection connection, int shard, Start start) {
        try {
            Optional<StartOutcome> started = insert(connection, shard, start);
            return started.isPresent() ? started.get() : explain(connection, shard, start);
        } catch (SQLException e) {
            StoreException failed = SqlErrors.isBadEntry(e) ? SqlErrors.rejected(e) : SqlErrors.unavailable(e);
            throw failed;
        }
    }

    private Optional<StartOutcome> insert(Connection connection, int shard, Start start) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement);
            StartStatement.bind(params, shard, List.of(start));
            params.text(channel).text(NoticeCodec.alarmSetPrefix(shard, StartStatement.lane(start)));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(new StartOutcome.Started(RunRows.instant(rows, 1))) : Optional.empty();
            }
        }
    }

    private StartOutcome explain(Connection connection, int shard, Start start) throws SQLException {
        RunRow inTheWay =
                explanation.run(connection, shard, List.of(start)).inTheWay().get(0);
        return inTheWay == null ? new StartOutcome.Locked() : new StartOutcome.Exists(inTheWay);
    }
}
