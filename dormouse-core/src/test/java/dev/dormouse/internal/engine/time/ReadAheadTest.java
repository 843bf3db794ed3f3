package dev.dormouse.internal.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    void alarmsBelowTheLimitAreAll() {
        ReadAhead ahead = new ReadAhead(3).add(List.of(at(1), at(9))).add(List.of());
        assertThat(ahead.nearest()).containsExactly(at(1), at(9));
        assertThat(ahead.readUpTo()).isEqualTo(Instant.MAX);
    }

    @Test
    void alarmsAreCompleteUpToTheEarliestEndOfAFullList() {
        ReadAhead ahead = new ReadAhead(2)
                .add(List.of(at(1), at(9)))
                .add(List.of(at(2), at(5)))
                .add(List.of(at(3)));
        assertThat(ahead.nearest()).containsExactly(at(1), at(9), at(2), at(5), at(3));
        assertThat(ahead.readUpTo()).isEqualTo(at(5));
    }

    @Test
    void unwantedAlarmsCountAgainstTheLimit() {
        ReadAhead ahead = new ReadAhead(2).add(List.of(at(1), at(9)), alarm -> alarm.isAfter(at(4)));
        assertThat(ahead.nearest()).containsExactly(at(9));
        assertThat(ahead.readUpTo()).isEqualTo(at(9));
    }
}
