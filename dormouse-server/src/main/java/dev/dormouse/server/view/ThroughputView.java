package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What was done lately, in slots of equal length. */
public record ThroughputView(Instant now, String span, long slotSeconds, List<Slot> slots) {

    public static ThroughputView of(Pulse.Throughput found, String span) {
        return new ThroughputView(
                found.now(),
                span,
                found.slotLength().toSeconds(),
                found.slots().stream().map(Slot::of).toList());
    }

    public record Slot(
            Instant at,
            long started,
            long completed,
            long failed,
            long steps,
            long fired,
            long takeovers,
            Optional<Double> latenessP50Millis,
            Optional<Double> latenessP99Millis) {

        static Slot of(Pulse.Slot slot) {
            return new Slot(
                    slot.at(),
                    slot.started(),
                    slot.completed(),
                    slot.failed(),
                    slot.steps(),
                    slot.fired(),
                    slot.takeovers(),
                    slot.latenessP50().map(OverviewView::millis),
                    slot.latenessP99().map(OverviewView::millis));
        }
    }
}
