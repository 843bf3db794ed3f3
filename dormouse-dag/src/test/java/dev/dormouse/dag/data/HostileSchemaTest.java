package dev.dormouse.dag.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.dag.support.SchemaValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regression tests of differences between the published schema and the reader, or between reading and writing. */
class HostileSchemaTest {
    private static final SchemaValidator SCHEMA = SchemaValidator.published();

    private static String step(String fields) {
        return dag("'name':'d','steps':[{'id':'a'," + fields + "}]");
    }

    private static String dag(String fields) {
        return "{" + fields.replace('\'', '"') + "}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'task':'x','timeout':'p1d'",
                "'approval':{'timeout':'PT1S','ask':''}",
                "'task':'x','retry':{'nonRetryable':[1]}",
                "'task':'x','retry':{'nonRetryable':[null]}",
                "'task':'x','retry':{'nonRetryable':[{}]}"
            })
    void acceptedDefinitionsFitTheSchema(String fields) {
        boolean read = catchThrowable(() -> Dag.fromJson(step(fields))) == null;
        assertThat(read).isEqualTo(SCHEMA.mistake(step(fields)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "null", "{}"})
    void schemaOfAJsonIsAText(String value) {
        String json = dag("'$schema':" + value + ",'name':'d','steps':[{'id':'a','task':'x'}]");
        boolean read = catchThrowable(() -> Dag.fromJson(json)) == null;
        assertThat(read).isEqualTo(SCHEMA.mistake(json).isEmpty());
    }

    /** Definitions that the schema could refuse as well. */
    @ParameterizedTest
    @ValueSource(strings = {"'task':'x','concurrency':1.0", "'task':' '", "'subWorkflow':' '"})
    void definitionsThatFitTheSchemaAreRead(String fields) {
        boolean read = catchThrowable(() -> Dag.fromJson(step(fields))) == null;
        assertThat(read).isEqualTo(SCHEMA.mistake(step(fields)).isEmpty());
    }

    @Test
    void numberThatIsTooLargeIsRefusedOrKept() {
        String json = step("'task':'x','input':1e400");
        RefusalAssertions.succeedsOrIsRefused(
                json, () -> assertThat(Dag.fromJson(json).toJson()).doesNotContain("\"Infinity\""));
    }

    @Test
    void conditionWithANumberThatIsTooLargeIsRefusedOrReadBack() {
        String json = step("'task':'x','skipIf':{'path':'$.input','above':1e400}");
        Throwable refused = catchThrowable(() -> Dag.fromJson(json));
        if (refused == null) {
            Dag dag = Dag.fromJson(json);
            assertThat(Dag.fromJson(dag.toJson())).isEqualTo(dag);
        }
    }

    @Test
    void decimalsAreKept() {
        String number = "0.1000000000000000000000000001";
        assertThat(Dag.fromJson(step("'task':'x','input':" + number)).toJson()).contains(number);
    }
}
