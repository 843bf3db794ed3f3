package dev.dormouse.dag.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.support.RandomDag;
import dev.dormouse.dag.support.SchemaValidator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every DAG that can be built can be written, fits the published schema, and is read back unchanged. */
class HostileRoundTripTest {
    private static final SchemaValidator SCHEMA = SchemaValidator.published();

    static LongStream hundreds() {
        return LongStream.range(0, 8);
    }

    @ParameterizedTest
    @MethodSource("hundreds")
    void readingAndWritingAreInverse(long hundred) {
        for (long seed = 100 * hundred; seed < 100 * hundred + 100; seed++) {
            Dag dag = RandomDag.of(seed);
            String json = dag.toJson();
            Dag again = Dag.fromJson(json);
            assertThat(again).as("seed %d", seed).isEqualTo(dag).hasSameHashCodeAs(dag);
            assertThat(again.toJson()).as("seed %d", seed).isEqualTo(json);
            assertThat(again.toMermaid()).as("seed %d", seed).isEqualTo(dag.toMermaid());
            assertThat(RandomDag.of(seed)).as("seed %d", seed).isEqualTo(dag);
        }
    }

    @ParameterizedTest
    @MethodSource("hundreds")
    void writtenDefinitionsFitTheSchema(long hundred) {
        for (long seed = 100 * hundred; seed < 100 * hundred + 100; seed++) {
            assertThat(SCHEMA.mistake(RandomDag.of(seed).toJson()))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }
}
