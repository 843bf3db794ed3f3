package dev.dormouse.postgres;

import dev.dormouse.store.DuePage;
import dev.dormouse.store.DuePlace;
import dev.dormouse.store.Micros;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How pages of what is due go on from each other, although each looks at a bounded number of rows in each lane. */
final class DueLook {
    private DueLook() {}

    /** Looks at all that is due at one instant, in order. */
    @FunctionalInterface
    interface Crowd<T> {
        List<T> behind(DuePlace after, int most) throws SQLException;
    }

    /** From which instant on to look, in microseconds: behind all of an instant, the next one comes first. */
    static long begin(DuePlace after) {
        long at = Micros.of(after.at());
        return at < Long.MAX_VALUE && after.equals(DuePlace.behind(after.at())) ? at + 1 : at;
    }

    /**
     * Of a lane in which not all could be looked at, some at the last instant may be missing, so that the next page begins
     * with that. Where this one began with it, there are more at that instant than are looked at otherwise, and the index
     * does not have them in order: they are looked at by themselves.
     *
     * @param stop the last instant that was looked at; null where nothing was left out
     */
    static <T> DuePage<T> page(
            List<T> found,
            @Nullable Instant stop,
            Function<T, DuePlace> place,
            @Nullable DuePlace after,
            int limit,
            Crowd<T> crowd)
            throws SQLException {
        if (stop == null) {
            return DuePage.merge(List.of(new DuePage<>(found, null)), place, limit);
        }
        DuePlace end = DuePlace.before(stop);
        if (after == null || end.compareTo(after) > 0) {
            return DuePage.merge(List.of(new DuePage<>(found, end)), place, limit);
        }
        UUID behind = after.at().equals(stop) ? after.runId() : new UUID(0, 0);
        List<T> crowded = crowd.behind(new DuePlace(stop, behind), limit + 1);
        return DuePage.merge(List.of(new DuePage<>(crowded, DuePlace.behind(stop))), place, limit);
    }
}
