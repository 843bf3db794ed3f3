package dev.dormouse.server.view;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What was done lately, in slots of equal length. */
public record ThroughputView(Instant now, String span, long slotSeconds, List<Slot> slots) {

    public record Slot(
            Instant at,
            long started,
            long completed,
            long failed,
            long steps,
            long fired,
            Optional<Double> latenessP50Millis,
            Optional<Double> latenessP99Millis) {}
}
