package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.support.SampleDags;
import dev.dormouse.dag.support.SchemaValidator;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions as JSON. */
class DagJsonTest {
    private static final String SMALL = """
            {"name": "small", "steps": [{"id": "a", "task": "x"}]}
            """;

    @Test
    void writingAndReadingAreInverse() {
        Dag dag = SampleDags.everything().build();
        Dag read = Dag.fromJson(dag.toJson());
        assertThat(read).isEqualTo(dag);
        assertThat(read.toJson()).isEqualTo(dag.toJson());
        assertThat(read.definition().steps()).hasSameSizeAs(dag.definition().steps());
    }

    @Test
    void smallestDefinitionIsEnough() {
        Dag dag = Dag.fromJson(SMALL);
        assertThat(dag).isEqualTo(Dag.workflow("small").task("a", "x").build());
        assertThat(dag.version()).isEqualTo(1);
    }

    @Test
    void differentDefinitionsAreNotEqual() {
        assertThat(Dag.fromJson(SMALL))
                .isNotEqualTo(Dag.workflow("small").task("a", "y").build());
        assertThat(Dag.fromJson(SMALL))
                .isNotEqualTo(Dag.workflow("small").version(2).task("a", "x").build());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'name': 'd', 'step': []}                                                        | $.steps
            {'name': 'd', 'colour': 1, 'steps': [{'id': 'a', 'task': 'x'}]}                  | $.colour
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'afterr': ['b']}]}              | $.steps[0].afterr
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'retry': {'times': 3}}]}        | $.steps[0].retry.times
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'retry': {'attempts': '3'}}]}   | $.steps[0].retry.attempts
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'retry': {'attempts': -1}}]}    | $.steps[0].retry
            {'name': 'd', 'steps': [{'id': 'a', 'task': 7}]}                                 | $.steps[0].task
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'sleep': {'for': 'PT1S'}}]}     | $.steps[0].id
            {'name': 'd', 'steps': [{'id': 'a'}]}                                            | $.steps[0].id
            {'name': 'd', 'steps': [{'task': 'x'}]}                                          | $.steps[0].id
            {'name': 'd', 'steps': ['a']}                                                    | $.steps[0]
            {'name': 'd', 'steps': {}}                                                       | $.steps
            {'name': 7, 'steps': []}                                                         | $.name
            {'steps': []}                                                                    | $.name
            {'name': 'd', 'version': 1.5, 'steps': []}                                       | $.version
            {'name': 'd', 'version': '1', 'steps': []}                                       | $.version
            {'name': 'd', 'singleton': 'yes', 'steps': []}                                   | $.singleton
            {'name': 'd', 'runTimeout': 'long', 'steps': []}                                 | $.runTimeout
            {'name': 'd', 'runLimit': 0, 'steps': []}                                        | $.runLimit
            {'name': 'd', 'idempotencyKey': 'id', 'steps': []}                               | $.idempotencyKey
            {'name': 'd', 'cancelOn': {}, 'steps': []}                                       | $.cancelOn.event
            {'name': 'd', 'cancelOn': {'event': 'e', 'x': 1}, 'steps': []}                   | $.cancelOn.x
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'after': 'b'}]}                 | $.steps[0].after
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'after': [1]}]}                 | $.steps[0].after[0]
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'input': '$.'}]}                | $.steps[0].input
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {}}]}                 | $.steps[0].skipIf
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {'path': '$.input'}}]}| $.steps[0].skipIf
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {'path': 'x', 'is': 1}}]} | $.steps[0].skipIf
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {'path': '$.input', 'is': 1, 'isNot': 2}}]} | $.steps[0].skipIf.isNot
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {'path': '$.input', 'above': 'x'}}]} | $.steps[0].skipIf.above
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {'all': []}}]}        | $.steps[0].skipIf
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'skipIf': {'all': [1]}}]}       | $.steps[0].skipIf.all[0]
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'rateLimit': {'number': 1}}]}   | $.steps[0].rateLimit.period
            {'name': 'd', 'steps': [{'id': 'a', 'task': 'x', 'concurrency': 0}]}             | $.steps[0].concurrency
            {'name': 'd', 'steps': [{'id': 'a', 'map': {'activity': 'x'}}]}                  | $.steps[0].map.over
            {'name': 'd', 'steps': [{'id': 'a', 'map': {'activity': 'x', 'over': 'y'}}]}     | $.steps[0].map
            {'name': 'd', 'steps': [{'id': 'a', 'approval': {}}]}                            | $.steps[0].approval.timeout
            {'name': 'd', 'steps': [{'id': 'a', 'waitForEvent': {'timeout': 'PT1S'}}]}       | $.steps[0].waitForEvent.event
            {'name': 'd', 'steps': [{'id': 'a', 'subWorkflow': 5}]}                          | $.steps[0].subWorkflow
            {'name': 'd', 'steps': [{'id': 'a', 'subWorkflow': {'dag': 'x'}}]}               | $.steps[0].subWorkflow.type
            {'name': 'd', 'name': 'e', 'steps': []}                                          | Duplicate
            {'name': 'd', 'steps': []} x                                                     | line 1
            {'name': 'd'                                                                     | line 1
            []                                                                               | an object at $
            null                                                                             | an object at $
            """)
    void mistakeIsReportedWithItsPath(String json, String place) {
        assertThatThrownBy(() -> Dag.fromJson(json.replace('\'', '"')))
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_DAG))
                .hasMessageContaining(place)
                .hasMessageContaining("Expected");
    }

    @Test
    void schemaIsPublishedAndNamesEveryField() {
        Map<?, ?> schema = (Map<?, ?>) JsonTree.parse(Dag.jsonSchema());
        assertThat(schema.get("$schema")).isEqualTo("https://json-schema.org/draft/2020-12/schema");
        SchemaValidator published = SchemaValidator.published();
        assertThat(published.mistake(SampleDags.everything().build().toJson())).isEmpty();
        assertThat(published.mistake(SMALL)).isEmpty();
    }
}
