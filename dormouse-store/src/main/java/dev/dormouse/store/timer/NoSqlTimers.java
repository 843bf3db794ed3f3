package dev.dormouse.store.timer;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The SQL timers of a store without any: one that is not PostgreSQL, or one where they are not installed. */
final class NoSqlTimers implements SqlTimerStore {
    @Override
    public DuePage<SqlTimer> due(@Nullable DuePlace after, int limit) {
        return new DuePage<>(List.of(), null);
    }

    @Override
    public DueCounts dueCounts(Instant overdueBefore, List<Instant> bounds) {
        return new DueCounts(Count.NONE, Collections.nCopies(Math.max(0, bounds.size() - 1), Count.NONE));
    }

    @Override
    public Optional<Instant> lastDue() {
        return Optional.empty();
    }

    @Override
    public List<SqlTimer> failed(int limit) {
        return List.of();
    }

    @Override
    public Optional<SqlTimer> get(SqlTimerId id) {
        return Optional.empty();
    }

    @Override
    public boolean move(SqlTimerId id, Instant at) {
        return false;
    }

    @Override
    public boolean cancel(SqlTimerId id) {
        return false;
    }
}
