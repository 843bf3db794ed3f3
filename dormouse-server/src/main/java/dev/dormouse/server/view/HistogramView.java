package dev.dormouse.server.view;

import java.time.Instant;
import java.util.List;

/** How much is due when. */
public record HistogramView(
        Instant now,
        String span,
        Instant from,
        Instant to,
        OverviewView.Count total,
        OverviewView.Count overdue,
        List<Bucket> buckets) {

    public record Bucket(Instant from, Instant to, long count, boolean exact) {}
}
