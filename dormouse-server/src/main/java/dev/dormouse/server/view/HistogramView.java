package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import dev.dormouse.store.Count;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How much is due when. */
public record HistogramView(
        Instant now, String span, Instant from, Instant to, Count total, Count overdue, List<Bucket> buckets) {

    public record Bucket(Instant from, Instant to, long count, boolean exact) {
        static Bucket of(Pulse.Bucket found) {
            return new Bucket(
                    found.from(),
                    found.to(),
                    found.count().count(),
                    found.count().exact());
        }
    }

    public static HistogramView of(Pulse.Histogram found) {
        return new HistogramView(
                found.now(),
                found.span().name().toLowerCase(Locale.ROOT),
                found.from(),
                found.to(),
                found.total(),
                found.overdue(),
                found.buckets().stream().map(Bucket::of).toList());
    }
}
