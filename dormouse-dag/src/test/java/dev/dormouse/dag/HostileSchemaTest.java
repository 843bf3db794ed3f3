package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Defects: where the published schema and what is read do not agree, or reading and writing are not inverse. */
class HostileSchemaTest {
    private static final MiniSchema SCHEMA = MiniSchema.published();

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
    void whatIsReadFitsTheSchema(String fields) {
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

    /** What the schema could say, too. */
    @ParameterizedTest
    @ValueSource(strings = {"'task':'x','concurrency':1.0", "'task':' '", "'subWorkflow':' '"})
    void whatFitsTheSchemaByItsFormIsRead(String fields) {
        boolean read = catchThrowable(() -> Dag.fromJson(step(fields))) == null;
        assertThat(read).isEqualTo(SCHEMA.mistake(step(fields)).isEmpty());
    }

    @Test
    void numberThatIsTooLargeIsRefusedOrKept() {
        String json = step("'task':'x','input':1e400");
        Sentence.goesWellOrIsRefused(
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
