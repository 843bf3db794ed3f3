package dev.dormouse.sqlite.claim;

import dev.dormouse.sqlite.sql.StatementCall;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueTurn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The state of the rate limits of queues and of their keys, read and written. */
public final class QueueRates {
    static final String OF_QUEUE = "select used_until from dormouse_queue where shard = ? and name = ?";

    static final String OF_KEY = "select used_until from dormouse_rate where shard = ? and queue = ? and key = ?";

    static final String REMEMBER_QUEUE = """
            insert into dormouse_queue (shard, name, used_until) values (?, ?, ?)
            on conflict do update set used_until = excluded.used_until""";

    static final String REMEMBER_KEY = """
            insert into dormouse_rate (shard, queue, key, used_until) values (?, ?, ?, ?)
            on conflict do update set used_until = excluded.used_until""";

    static final String OLD = """
            select queue, key from dormouse_rate indexed by dormouse_rate_age
            where shard = ? and used_until <= ?
            limit ?""";

    static final String FORGET = "delete from dormouse_rate where shard = ? and queue = ? and key = ?";

    /** The number of expired rows that are deleted for each new row: more than one, so that their number falls. */
    private static final int FORGOTTEN_FOR_EACH = 2;

    private QueueRates() {}

    private record Key(String queue, String name) {
        static Key read(ResultSet row) throws SQLException {
            return new Key(row.getString(1), row.getString(2));
        }
    }

    static Instant ofQueue(Tx tx, QueueClaim claim) throws SQLException {
        return claim.rate() == null
                ? Instant.EPOCH
                : read(tx.call(OF_QUEUE).with(tx.shard()).with(claim.queue())).orElse(Instant.EPOCH);
    }

    static Map<String, Instant> ofKeys(Tx tx, QueueClaim claim, List<QueueTurn.Candidate> candidates)
            throws SQLException {
        Map<String, Instant> found = new HashMap<>();
        if (claim.keyRate() == null) {
            return found;
        }
        Set<String> keys = new HashSet<>();
        candidates.forEach(candidate -> keys.add(candidate.key()));
        for (String key : keys) {
            read(tx.call(OF_KEY).with(tx.shard()).with(claim.queue()).with(key))
                    .ifPresent(until -> found.put(key, until));
        }
        return found;
    }

    static void remember(Tx tx, QueueClaim claim, QueueTurn.Decision decision) throws SQLException {
        if (decision.usedUntil() != null) {
            tx.call(REMEMBER_QUEUE)
                    .with(tx.shard())
                    .with(claim.queue())
                    .with(Micros.of(decision.usedUntil()))
                    .update();
        }
        Map<String, Instant> keys = decision.keysUsedUntil();
        for (Map.Entry<String, Instant> key : keys.entrySet()) {
            tx.call(REMEMBER_KEY)
                    .with(tx.shard())
                    .with(claim.queue())
                    .with(key.getKey())
                    .with(Micros.of(key.getValue()))
                    .update();
        }
        forgetOld(tx, FORGOTTEN_FOR_EACH * keys.size());
    }

    private static void forgetOld(Tx tx, int most) throws SQLException {
        if (most == 0) {
            return;
        }
        List<Key> old = tx.call(OLD).with(tx.shard()).with(tx.now()).with(most).all(Key::read);
        for (Key key : old) {
            tx.call(FORGET).with(tx.shard()).with(key.queue()).with(key.name()).update();
        }
    }

    private static Optional<Instant> read(StatementCall call) throws SQLException {
        return call.first(row -> Micros.toInstant(row.getLong(1)));
    }
}
