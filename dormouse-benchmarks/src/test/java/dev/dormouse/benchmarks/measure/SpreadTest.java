package dev.dormouse.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Statistics over several rounds, and over many values of one round. */
class SpreadTest {

    @Test
    void medianOfAnOddNumberIsTheOneInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9, 3));
    }

    @Test
    void medianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(8.0, 2.0, 4.0, 1.0))).isEqualTo(new Spread(3, 1, 8, 4));
    }

    @Test
    void oneRoundHasNoSpread() {
        assertThat(Spread.of(List.of(5.0))).isEqualTo(new Spread(5, 5, 5, 1));
    }

    @Test
    void nothingHasNoMedian() {
        assertThatThrownBy(() -> Spread.of(List.of())).hasMessageContaining("Expected at least one value");
        assertThatThrownBy(() -> new Percentiles(List.of())).hasMessageContaining("Expected at least one value");
    }

    @Test
    void percentilesAreValuesThatWereMeasured() {
        List<Double> hundred =
                DoubleStream.iterate(100, value -> value - 1).limit(100).boxed().toList();
        Percentiles percentiles = new Percentiles(hundred);
        assertThat(percentiles.at(50)).isEqualTo(50);
        assertThat(percentiles.at(99)).isEqualTo(99);
        assertThat(percentiles.max()).isEqualTo(100);
        assertThat(new Percentiles(List.of(7.0)).at(99)).isEqualTo(7);
    }
}
