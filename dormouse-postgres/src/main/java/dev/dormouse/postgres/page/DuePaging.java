package dev.dormouse.postgres.page;

import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Paging through due rows, if each page reads a bounded number of rows per lane. */
final class DuePaging {
    private DuePaging() {}

    /** A reader of all rows that are due at one instant, in order. */
    @FunctionalInterface
    interface Crowd<T> {
        List<T> behind(DuePlace after, int most) throws SQLException;
    }

    /**
     * Returns the instant to start from, in microseconds. After all rows of an instant, the page starts with the next
     * instant.
     */
    static long begin(DuePlace after) {
        long at = Micros.of(after.at());
        return at < Long.MAX_VALUE && after.equals(DuePlace.behind(after.at())) ? at + 1 : at;
    }

    /**
     * Returns a page and the place where the next one starts. If a lane was not read completely, rows at the last
     * instant may be missing, so the next page starts with that instant. If this page already started with it, more
     * rows have this instant than a page reads, and the index does not have them in order: they are read separately.
     *
     * @param stop the last instant that was read; null if nothing was left out
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
