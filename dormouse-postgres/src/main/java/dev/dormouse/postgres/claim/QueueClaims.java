package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.queue.QueueTurn;
import dev.dormouse.store.run.Claimed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The claim of a queue's runs, in one transaction that first locks the queue's row: claims of one queue run one after
 * the other, and each sees the effects of the previous ones.
 *
 * <p>Renewals and commits of the queue's runs do not take that lock. They cannot cause too many leases: every lease
 * counts until it is released, even after it has expired, unless this transaction has locked its row and revokes it.
 */
public final class QueueClaims {
    /** The delay before the next try after a lock timeout. */
    private static final Duration LATER = Duration.ofMillis(100);

    private final QueueLock lock;
    private final QueueLeases leases;
    private final QueueDue due;
    private final QueueRates rates;
    private final QueueUpdate update;
    private final String clock;

    public QueueClaims(Schema schema) {
        QueueFloors floors = new QueueFloors();
        this.lock = new QueueLock(schema);
        this.leases = new QueueLeases(schema, floors);
        this.due = new QueueDue(schema, floors);
        this.rates = new QueueRates(schema, floors);
        this.update = new QueueUpdate(schema);
        this.clock = schema.sql("select ${now}");
    }

    public QueueClaimed run(Connection connection, int shard, QueueClaim claim) throws SQLException {
        connection.setAutoCommit(false);
        try {
            return inTurn(connection, shard, claim);
        } catch (SQLException e) {
            connection.rollback();
            if (SqlErrors.isLocked(e)) {
                return later(connection);
            }
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private QueueClaimed inTurn(Connection connection, int shard, QueueClaim claim) throws SQLException {
        QueueLock.Locked locked = lock.take(connection, shard, claim.queue());
        Instant now = locked.now();
        QueueTurn turn = new QueueTurn(claim, now, leases.read(connection, shard, claim, now), locked.usedUntil());
        Map<UUID, QueueDue.Run> found = due.lock(connection, shard, claim, turn, now);
        QueueTurn.Decision decision = turn.decide(
                found.values().stream()
                        .map(QueueDue.Run::candidate)
                        .sorted(QueueTurn.Candidate.ORDER)
                        .toList(),
                rates.read(connection, shard, claim, found.values()));
        if (decision.changesNothing()) {
            connection.rollback(); // unlike a commit, a rollback does not wait for the disk
            return QueueClaimed.of(now, List.of(), decision);
        }
        Map<UUID, QueueUpdate.Updated> rows = update.run(connection, shard, claim, decision, turn.end());
        remember(connection, shard, claim, decision, now);
        connection.commit();
        return QueueClaimed.of(now, taken(decision, found, rows), decision);
    }

    private void remember(Connection connection, int shard, QueueClaim claim, QueueTurn.Decision decision, Instant now)
            throws SQLException {
        if (decision.usedUntil() != null) {
            lock.remember(connection, shard, claim.queue(), Micros.of(decision.usedUntil()));
        }
        if (!decision.keysUsedUntil().isEmpty()) {
            rates.write(connection, shard, claim, decision.keysUsedUntil(), now);
        }
    }

    private static List<Claimed.Run> taken(
            QueueTurn.Decision decision, Map<UUID, QueueDue.Run> found, Map<UUID, QueueUpdate.Updated> rows) {
        List<Claimed.Run> runs = new ArrayList<>();
        for (UUID runId : decision.taken()) {
            QueueDue.Run before = Objects.requireNonNull(found.get(runId));
            QueueTurn.Candidate candidate = before.candidate();
            QueueUpdate.Updated updated = Objects.requireNonNull(rows.get(runId));
            runs.add(new Claimed.Run(
                    updated.row(),
                    candidate.alarm(),
                    candidate.reason(),
                    before.status(),
                    before.owner(),
                    updated.history()));
        }
        return runs;
    }

    /**
     * Returns the outcome if another node holds the queue lock, perhaps because it crashed: the caller tries again
     * later.
     */
    private QueueClaimed later(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(clock);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            Instant now = RunRows.instant(rows, 1);
            return new QueueClaimed(now, List.of(), true, now.plus(LATER), List.of());
        }
    }
}
