package dev.dormouse.store.page;

import dev.dormouse.inspect.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An estimate of the number of alarms, by scanning a bounded number of them. For stores.
 *
 * <p>Each bucket of each lane is scanned from its start. If the scan stops early, because the bucket has many alarms,
 * the rest of the bucket is divided into sections. Each section is some times as long as everything before it, and a
 * scan of its start shows how dense its alarms are. So a crowd at the start of a bucket is not taken for the whole
 * bucket, and an even spread is estimated correctly.
 *
 * <p>Not thread-safe: use one instance per count.
 *
 * @param <E> the exception type of the store's scan
 */
public final class DueEstimate<E extends Exception> {
    /**
     * The number of alarms that are scanned in all buckets together, and again in all sections together. Each range
     * gets at least {@link #FEWEST}.
     */
    private static final int BUDGET = 10_000;

    private static final int FEWEST = 8;
    private static final int MOST = 250;
    private static final int MOST_IN_SECTION = 100;
    private static final int GROWTH = 4;

    /**
     * The number of ranges above which sections are fewer and longer: with many ranges, the errors of single sections
     * even out.
     */
    private static final int MANY_RANGES = 300;

    private static final int GROWTH_OF_MANY = 16;
    private static final int MOST_OVERDUE = 10_000;
    private static final Duration TICK = Duration.ofNanos(1_000);

    /**
     * The distance from the first bound beyond which almost every alarm was set by a user and is not the end of a
     * lease.
     */
    private static final Duration LEASES_END = Duration.ofMinutes(10);

    /**
     * The ratio of section to sample length above which a sample is treated as a crowd: only the scanned alarms count.
     */
    private static final long MOST_TIMES = 10_000;

    /** Scans ranges of alarms. */
    @FunctionalInterface
    public interface Prober<E extends Exception> {
        /**
         * Scans each range from its start.
         *
         * @param most the maximum number of alarms to scan in each range
         * @param roughly true if the scan may count every alarm as due, if that is cheaper
         * @return one probe per range, in the order of {@code ranges}
         * @throws E if the database cannot be reached or fails
         */
        List<AlarmProbe> probe(List<AlarmRange> ranges, int most, boolean roughly) throws E;
    }

    private final Prober<E> prober;
    private final List<String> lanes;

    /**
     * Creates an estimate.
     *
     * @param lanes the lanes whose alarms are counted
     * @param prober scans the alarms; called a few times, with many ranges each
     */
    public DueEstimate(List<String> lanes, Prober<E> prober) {
        this.prober = prober;
        this.lanes = lanes;
    }

    /**
     * Returns the counts for {@link PageStore#dueCounts}.
     *
     * @throws E if {@code prober} throws
     */
    public DueCounts counts(Instant overdueBefore, List<Instant> bounds) throws E {
        return new DueCounts(overdue(overdueBefore), buckets(bounds));
    }

    private Count overdue(Instant before) throws E {
        List<AlarmRange> ranges = lanes.stream()
                .map(lane -> new AlarmRange(lane, Instant.EPOCH, before))
                .toList();
        int most = Math.max(FEWEST, MOST_OVERDUE / Math.max(1, ranges.size()));
        Count sum = Count.NONE;
        for (AlarmProbe probe : prober.probe(ranges, most, false)) {
            sum = sum.plus(new Count(probe.due(), probe.stoppedAt() == null));
        }
        return sum;
    }

    private List<Count> buckets(List<Instant> bounds) throws E {
        List<Count> counts = new ArrayList<>();
        List<AlarmRange> ranges = new ArrayList<>();
        for (int bucket = 0; bucket + 1 < bounds.size(); bucket++) {
            counts.add(Count.NONE);
            for (String lane : lanes) {
                ranges.add(new AlarmRange(lane, bounds.get(bucket), bounds.get(bucket + 1)));
            }
        }
        List<AlarmProbe> probes = prober.probe(ranges, share(ranges.size(), MOST), false);
        int growth = ranges.size() > MANY_RANGES ? GROWTH_OF_MANY : GROWTH;
        Sections soon = new Sections(growth);
        Sections far = new Sections(growth);
        for (int i = 0; i < ranges.size(); i++) {
            int bucket = i / lanes.size();
            AlarmProbe probe = probes.get(i);
            Instant stopped = probe.stoppedAt();
            add(counts, bucket, new Count(probe.due(), stopped == null));
            if (stopped != null) {
                boolean isFar = Duration.between(bounds.get(0), stopped).compareTo(LEASES_END) > 0;
                (isFar ? far : soon).divide(bucket, ranges.get(i), stopped);
            }
        }
        soon.estimate(counts, false);
        far.estimate(counts, true);
        return counts;
    }

    private static int share(int ranges, int most) {
        return Math.min(most, Math.max(FEWEST, BUDGET / Math.max(1, ranges)));
    }

    private static void add(List<Count> counts, int bucket, Count more) {
        counts.set(bucket, counts.get(bucket).plus(more));
    }

    /** The parts of buckets that the first scan did not cover, divided into sections. */
    private final class Sections {
        private final List<AlarmRange> ranges = new ArrayList<>();
        private final List<Integer> buckets = new ArrayList<>();
        private final int growth;

        Sections(int growth) {
            this.growth = growth;
        }

        void divide(int bucket, AlarmRange whole, Instant stopped) {
            Instant from = stopped.plus(TICK);
            Duration seen = Duration.between(whole.from(), from);
            while (from.isBefore(whole.to())) {
                Duration length = seen.multipliedBy(growth - 1L);
                Instant to = Duration.between(from, whole.to()).compareTo(length) > 0 ? from.plus(length) : whole.to();
                ranges.add(new AlarmRange(whole.lane(), from, to));
                buckets.add(bucket);
                from = to;
                seen = seen.multipliedBy(growth);
            }
        }

        void estimate(List<Count> counts, boolean roughly) throws E {
            int most = share(ranges.size(), MOST_IN_SECTION);
            List<AlarmProbe> probes = prober.probe(ranges, most, roughly);
            for (int i = 0; i < ranges.size(); i++) {
                add(counts, buckets.get(i), Count.about(extrapolated(ranges.get(i), probes.get(i), most)));
            }
        }
    }

    /**
     * Returns the estimate for a section. The last scanned alarm marks the end of the sampled time and is not counted
     * in it.
     */
    private static long extrapolated(AlarmRange range, AlarmProbe probe, int looked) {
        Instant stopped = probe.stoppedAt();
        if (stopped == null) {
            return probe.due();
        }
        Duration seen = Duration.between(range.from(), stopped).plus(TICK);
        Duration whole = Duration.between(range.from(), range.to());
        boolean isCrowd = whole.dividedBy(MOST_TIMES).compareTo(seen) > 0;
        double dense = probe.due() * (looked - 1.0) / looked;
        return isCrowd ? probe.due() : Math.round(dense * seconds(whole) / seconds(seen));
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
