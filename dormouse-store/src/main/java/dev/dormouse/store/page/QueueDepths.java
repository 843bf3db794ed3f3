package dev.dormouse.store.page;

import dev.dormouse.inspect.Count;
import dev.dormouse.store.run.RunKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of due runs that wait for room, by queue, from a scan of a bounded number of alarms. For stores. */
public final class QueueDepths {
    private static final int MOST = 1_000;

    private QueueDepths() {}

    /**
     * Returns the depth of each queue that has a due run.
     *
     * @param lanes all lanes in which there is an alarm
     * @param <E> the exception type of the store's scan
     * @throws E if {@code prober} throws
     */
    public static <E extends Exception> Map<String, Count> of(
            List<String> lanes, Instant now, DueEstimate.Prober<E> prober) throws E {
        List<AlarmRange> ranges = lanes.stream()
                .filter(lane -> !RunKind.queueOf(lane).isEmpty())
                .map(lane -> new AlarmRange(lane, Instant.EPOCH, now))
                .toList();
        Map<String, Count> depths = new TreeMap<>();
        List<AlarmProbe> probes = ranges.isEmpty() ? List.of() : prober.probe(ranges, MOST, false);
        for (int i = 0; i < probes.size(); i++) {
            AlarmProbe probe = probes.get(i);
            depths.merge(
                    RunKind.queueOf(ranges.get(i).lane()),
                    new Count(probe.due(), probe.stoppedAt() == null),
                    Count::plus);
        }
        return depths;
    }
}
