package dev.dormouse.sqlite;

import dev.dormouse.store.Question;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Queries that one node asks and another one answers. */
final class Questions {
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

    /** By its key alone: in the index of open ones it would have to be looked for. */
    static final String ANSWER = """
            update dormouse_question set answer = coalesce(answer, ?)
            where shard = ? and id = ?""";

    static final String READ = "select answer from dormouse_question where shard = ? and id = ? and answer is not null";

    static final String FORGET = "delete from dormouse_question where shard = ? and id = ?";

    static final String FORGET_OLD = "delete from dormouse_question where shard = ? and asked_at < ?";

    private Questions() {}

    /** A question and where it stands among those of all lanes. */
    private record Placed(long place, Question question) {
        static Placed read(ResultSet row) throws SQLException {
            return new Placed(
                    row.getLong(1),
                    new Question(
                            Ids.toId(row.getBytes(2)),
                            Ids.toId(row.getBytes(3)),
                            row.getString(4),
                            row.getString(5),
                            row.getBytes(6)));
        }
    }

    static int ask(Tx tx, Question question) throws SQLException {
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

    static List<Question> open(Session session, int shard, List<String> lanes, int limit) throws SQLException {
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

    static int reply(Tx tx, UUID id, byte[] answer) throws SQLException {
        return tx.call(ANSWER).with(answer).with(tx.shard()).with(id).update();
    }

    static Optional<byte[]> reply(Session session, int shard, UUID id) throws SQLException {
        return session.call(READ).with(shard).with(id).first(row -> row.getBytes(1));
    }

    static int forget(Tx tx, List<UUID> ids, Duration age) throws SQLException {
        int forgotten =
                tx.call(FORGET_OLD).with(tx.shard()).with(tx.before(age)).update();
        for (UUID id : ids) {
            forgotten += tx.call(FORGET).with(tx.shard()).with(id).update();
        }
        return forgotten;
    }
}
