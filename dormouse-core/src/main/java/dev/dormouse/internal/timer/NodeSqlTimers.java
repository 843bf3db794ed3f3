package dev.dormouse.internal.timer;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.internal.client.CallGuard;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.timer.SqlTimerStore;
import dev.dormouse.timer.SqlTimers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Timers that were scheduled in SQL, read and changed through the store. Thread-safe. */
public final class NodeSqlTimers implements SqlTimers {
    private static final String ID = "the id of a timer";

    private final Node node;
    private final SqlTimerStore timers;

    public NodeSqlTimers(Node node, SqlTimerStore timers) {
        this.node = node;
        this.timers = timers;
    }

    @Override
    public Optional<SqlTimer> get(SqlTimerId id) {
        CallGuard.reads("SqlTimers.get");
        return timers.get(required(id, ID));
    }

    @Override
    public List<SqlTimer> failed(int limit) {
        CallGuard.reads("SqlTimers.failed");
        return timers.failed(limit);
    }

    @Override
    public boolean reschedule(SqlTimerId id, Instant instant) {
        CallGuard.changes("SqlTimers.reschedule");
        node.checkMayChange();
        return timers.move(required(id, ID), Micros.roundUp(required(instant, "an instant")));
    }

    @Override
    public boolean fireNow(SqlTimerId id) {
        return reschedule(id, node.now());
    }

    @Override
    public boolean cancel(SqlTimerId id) {
        CallGuard.changes("SqlTimers.cancel");
        node.checkMayChange();
        return timers.cancel(required(id, ID));
    }
}
