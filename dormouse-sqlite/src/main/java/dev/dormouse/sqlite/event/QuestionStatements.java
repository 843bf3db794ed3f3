package dev.dormouse.sqlite.event;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.event.Question;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Queries that one node asks and another node answers. */
public final class QuestionStatements {
    static final String ASK = """
            insert into dormouse_question (shard, id, run_id, workflow_id, lane, asked_at, payload)
            values (?, ?, ?, ?, ?, ?, ?)
            on conflict do nothing""";

    static final String OPEN = """
            select place, id, run_id, workflow_id, lane, payload
            from dormouse_question indexed by dormouse_question_open
            where shard = ? and lane = ? and answer is null
            order by place
            limit ?""";

    /**
     * Filters by the primary key only. A condition on {@code answer} would make SQLite scan the index of open
     * questions.
     */
    static final String ANSWER = """
            update dormouse_question set answer = coalesce(answer, ?)
            where shard = ? and id = ?""";

    static final String READ = "select answer from dormouse_question where shard = ? and id = ? and answer is not null";

    static final String FORGET = "delete from dormouse_question where shard = ? and id = ?";

    static final String FORGET_OLD = "delete from dormouse_question where shard = ? and asked_at < ?";

    private QuestionStatements() {}

    /** A question and its position among the questions of all lanes. */
    private record Placed(long place, Question question) {
        static Placed read(ResultSet row) throws SQLException {
            return new Placed(
                    row.getLong(1),
                    new Question(
                            UuidBytes.toId(row.getBytes(2)),
                            UuidBytes.toId(row.getBytes(3)),
                            row.getString(4),
                            row.getString(5),
                            row.getBytes(6)));
        }
    }

    public static int ask(Tx tx, Question question) throws SQLException {
        return tx.call(ASK)
                .with(tx.shard())
                .with(question.id())
                .with(question.runId())
                .with(question.workflowId())
                .with(question.lane())
                .with(tx.now())
                .with(question.payload())
                .update();
    }

    public static List<Question> open(SqlSession session, int shard, List<String> lanes, int limit)
            throws SQLException {
        List<Placed> found = new ArrayList<>();
        for (String lane : new LinkedHashSet<>(lanes)) {
            found.addAll(session.call(OPEN).with(shard).with(lane).with(limit).all(Placed::read));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Placed::place))
                .limit(limit)
                .map(Placed::question)
                .toList();
    }

    public static int reply(Tx tx, UUID id, byte[] answer) throws SQLException {
        return tx.call(ANSWER).with(answer).with(tx.shard()).with(id).update();
    }

    public static Optional<byte[]> reply(SqlSession session, int shard, UUID id) throws SQLException {
        return session.call(READ).with(shard).with(id).first(row -> row.getBytes(1));
    }

    public static int forget(Tx tx, List<UUID> ids, Duration age) throws SQLException {
        int forgotten =
                tx.call(FORGET_OLD).with(tx.shard()).with(tx.before(age)).update();
        for (UUID id : ids) {
            forgotten += tx.call(FORGET).with(tx.shard()).with(id).update();
        }
        return forgotten;
    }
}
