package dev.dormouse.server.view;

import java.time.Instant;
import java.util.Optional;

/** How things are in the whole store. */
public record OverviewView(
        Instant now,
        Count running,
        Count waiting,
        Count completedToday,
        Count failed,
        Count stuck,
        Count overdue,
        Optional<Double> latenessP99Millis) {

    /** @param exact whether it was counted; otherwise it is an estimate, or there are at least so many */
    public record Count(long count, boolean exact) {}
}
