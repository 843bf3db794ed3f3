package dev.dormouse.dag.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Large or deeply nested definitions work or are refused. */
class DeepTest {
    private static final String NEST_BEGIN = "{\"all\":[";
    private static final String NEST_END = "]}";

    @Test
    void longPathIsAPathOrRefused() {
        assertThat(Path.of("$.input['" + "a".repeat(200) + "']").parts()).hasSize(2);
        assertThatThrownBy(() -> Path.of("$.input['" + "a".repeat(100_000) + "']"))
                .isInstanceOf(DormouseException.class);
        assertThatThrownBy(() -> Path.of("$.input['" + "a".repeat(100_000) + "'"))
                .isInstanceOf(DormouseException.class);
    }

    @Test
    void deepConditionIsTestedOrRefused() {
        for (int depth : new int[] {100, 240, 480}) {
            String json = "{\"name\":\"d\",\"steps\":[{\"id\":\"a\",\"task\":\"echo\",\"skipIf\":"
                    + NEST_BEGIN.repeat(depth) + "{\"path\":\"$.input\",\"is\":1}" + NEST_END.repeat(depth) + "}]}";
            Dag dag;
            try {
                dag = Dag.fromJson(json);
            } catch (DormouseException refused) {
                return;
            }
            DagScenario.play(dag, scenario -> {
                DagRun run = scenario.start("d", 1);
                scenario.advance(Duration.ofSeconds(10));
                assertThat(run.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
            });
        }
    }

    @Test
    void loneSurrogatesDoNoHarm() {
        Dag dag = Dag.workflow("d")
                .approval("ok", Duration.ofDays(1))
                .task("t", "odd")
                .after("ok")
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("odd", Object.class, Object.class, input -> {
                    throw new IllegalStateException("half \uD800 and \0 nul");
                }),
                dag)) {
            DagRun run = scenario.start("d", Map.of());
            scenario.advance(Duration.ofSeconds(1));
            try {
                scenario.dags().approve(run.approvals().get(0).token(), "ada \uD800 \0", "\uDC00");
            } catch (DormouseException refused) {
                scenario.dags().approve(run.approvals().get(0).token(), "ada", "x");
            }
            scenario.advance(Duration.ofSeconds(1));
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.FAILED);
            assertThat(run.toMermaid()).isNotEmpty();
        }
    }
}
