package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import dev.dormouse.store.Count;
import java.time.Duration;
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
        Count timers,
        Optional<Double> latenessP99Millis) {

    public static OverviewView of(Pulse.Overview found) {
        return new OverviewView(
                found.now(),
                found.running(),
                found.waiting(),
                found.completedToday(),
                found.failed(),
                found.stuck(),
                found.overdue(),
                found.timers(),
                found.latenessP99().map(OverviewView::millis));
    }

    static Double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
