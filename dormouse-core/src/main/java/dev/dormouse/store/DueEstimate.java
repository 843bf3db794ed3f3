package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts alarms by looking at a bounded number of them; for stores. Each bucket of each lane is looked at from its
 * beginning. Where that ends early, so that there are many, what is left is divided into sections, each some times as long
 * as all before it, and each section's beginning is looked at: it says how dense alarms are in it. So a crowd at the
 * beginning of a bucket is not taken for the whole of it, and an even spread comes out right.
 *
 * @param <E> what may go wrong
 */
public final class DueEstimate<E extends Exception> {
    /** So many alarms are looked at in all buckets together, and so many in all sections; but some in each. */
    private static final int BUDGET = 10_000;

    private static final int FEWEST = 8;
    private static final int MOST = 250;
    private static final int MOST_IN_SECTION = 100;
    private static final int GROWTH = 4;

    /** Where there are more ranges than that, sections are fewer and longer: what is wrong in one evens out among many. */
    private static final int MANY_RANGES = 300;

    private static final int GROWTH_OF_MANY = 16;
    private static final int MOST_OVERDUE = 10_000;
    private static final Duration TICK = Duration.ofNanos(1_000);

    /** Farther ahead hardly an alarm is one that nobody has set. */
    private static final Duration LEASES_END = Duration.ofMinutes(10);

    /** Denser than that is a crowd, not a sample: those that were seen count, and no more. */
    private static final long MOST_TIMES = 10_000;

    /** Looks at ranges of alarms. */
    @FunctionalInterface
    public interface Prober<E extends Exception> {
        /**
         * @param most at no more than so many in each
         * @param roughly whether all alarms may count as due, if that is cheaper
         * @return in the same order
         */
        List<AlarmProbe> probe(List<AlarmRange> ranges, int most, boolean roughly) throws E;
    }

    private final Prober<E> prober;
    private final List<String> lanes;

    public DueEstimate(List<String> lanes, Prober<E> prober) {
        this.prober = prober;
        this.lanes = lanes;
    }

    /** See {@link PageStore#dueCounts}. */
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

    /** What is left of buckets, in sections. */
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

    /** The last of those that were looked at ends the time that they took, and is not counted in it. */
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
