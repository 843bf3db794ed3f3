package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import dev.dormouse.store.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How things are in the whole store.
 *
 * @param unserved what is due and no living node executes
 */
public record OverviewView(
        Instant now,
        Count running,
        Count waiting,
        Count completedToday,
        Count failed,
        Count stuck,
        Count overdue,
        Count timers,
        Optional<Double> latenessP99Millis,
        List<Pulse.Unserved> unserved) {

    public static OverviewView of(Pulse.Overview found, List<Pulse.Unserved> unserved) {
        return new OverviewView(
                found.now(),
                found.running(),
                found.waiting(),
                found.completedToday(),
                found.failed(),
                found.stuck(),
                found.overdue(),
                found.timers(),
                found.latenessP99().map(OverviewView::millis),
                unserved);
    }

    static Double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
