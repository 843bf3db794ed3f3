package dev.dormouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.Count;
import dev.dormouse.store.page.AlarmProbe;
import dev.dormouse.store.page.AlarmRange;
import dev.dormouse.store.page.DueEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Few alarms are counted, many are estimated, and only a bounded number is scanned. */
class DueEstimateTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final int MOST_LOOKS = 40_000;

    private final TreeSet<Instant> alarms = new TreeSet<>();
    private int looks;

    private List<AlarmProbe> probe(List<AlarmRange> ranges, int most, boolean roughly) {
        List<AlarmProbe> probes = new ArrayList<>();
        for (AlarmRange range : ranges) {
            List<Instant> seen =
                    alarms.subSet(range.from(), range.to()).stream().limit(most).toList();
            looks += seen.size();
            probes.add(new AlarmProbe(seen.size(), seen.size() < most ? null : seen.get(most - 1)));
        }
        return probes;
    }

    private List<Count> buckets(Duration span) {
        List<Instant> bounds = IntStream.rangeClosed(0, 60)
                .mapToObj(i -> NOW.plus(span.multipliedBy(i).dividedBy(60)))
                .toList();
        List<Count> counts = new DueEstimate<RuntimeException>(List.of("lane"), this::probe)
                .counts(NOW, bounds)
                .buckets();
        assertThat(looks).isLessThan(MOST_LOOKS);
        return counts;
    }

    private void spread(Instant from, Duration over, int number) {
        for (int i = 0; i < number; i++) {
            alarms.add(from.plus(over.multipliedBy(i).dividedBy(number)));
        }
    }

    @Test
    void fewAreCounted() {
        spread(NOW, Duration.ofHours(1), 6_000);
        assertThat(buckets(Duration.ofHours(1))).containsOnly(Count.exactly(100));
    }

    @Test
    void evenSpreadIsEstimatedWell() {
        spread(NOW, Duration.ofHours(1), 600_000);
        assertThat(buckets(Duration.ofHours(1)))
                .allMatch(count -> !count.exact() && count.count() > 9_000 && count.count() < 11_000);
    }

    @Test
    void crowdAtTheBeginningIsNotTakenForTheWholeOfABucket() {
        spread(NOW, Duration.ofMillis(100), 20_000);
        List<Count> counts = buckets(Duration.ofHours(1));
        assertThat(counts.get(0).exact()).isFalse();
        assertThat(counts.get(0).count()).isBetween(5_000L, 80_000L);
        assertThat(counts.subList(1, 60)).containsOnly(Count.NONE);
    }

    @Test
    void crowdInTheMiddleIsNotExaggerated() {
        spread(NOW, Duration.ofHours(1), 60_000);
        spread(NOW.plusSeconds(30), Duration.ofMillis(1), 900);
        assertThat(buckets(Duration.ofHours(1)).get(0).count()).isBetween(500L, 4_000L);
    }
}
