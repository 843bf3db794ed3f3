package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.time.ReadAhead;
import dev.dormouse.postgres.sqltimers.ReadAheadStatement.Kind;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers of a role that was dropped: they fail when they are due. Thread-safe: one thread at a time records the
 * failures.
 */
final class OrphanLane extends TimerLane {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanLane.class);
    private static final int AT_ONCE = 500;

    private final TimerNodeContext node;
    private final String role;
    private final AtomicBoolean busy = new AtomicBoolean();

    OrphanLane(TimerNodeContext node, String role) {
        this.node = node;
        this.role = role;
    }

    @Override
    boolean read(ReadAheadStatement.Found found) {
        return readAhead(
                found,
                new ReadAhead(ReadAheadStatement.READ_AHEAD)
                        .add(found.due(Kind.ACTION, role))
                        .add(found.due(Kind.APART, role)));
    }

    @Override
    void start() {
        if (busy.compareAndSet(false, true)) {
            try {
                node.threads().startCode("timers-orphans", this::fail);
            } catch (RuntimeException e) {
                busy.set(false);
                throw e;
            }
        }
    }

    private void fail() {
        try {
            int failed = AT_ONCE;
            while (failed == AT_ONCE) {
                failed = node.database()
                        .call("fail timers of dropped roles", c -> ActionStatements.failOrphans(c, role, AT_ONCE));
                if (failed > 0) {
                    node.failures().orphansFailed(role, failed);
                }
            }
        } catch (SQLException e) {
            LOG.debug("Could not record that timers of a dropped role failed.", e);
        } finally {
            busy.set(false);
        }
    }

    @Override
    boolean isBusy() {
        return busy.get();
    }

    @Override
    void stop() {}

    @Override
    void close() {}
}
