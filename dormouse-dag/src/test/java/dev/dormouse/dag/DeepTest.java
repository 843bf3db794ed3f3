package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.data.Path;
import dev.dormouse.error.DormouseException;
import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Definitions that are large or deep are refused, or work. */
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
            DagStory.play(dag, story -> {
                DagRun run = story.start("d", 1);
                story.advance(Duration.ofSeconds(10));
                assertThat(run.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
            });
        }
    }

    @Test
    void halvesOfCharactersDoNoHarm() {
        Dag dag = Dag.workflow("d")
                .approval("ok", Duration.ofDays(1))
                .task("t", "odd")
                .after("ok")
                .build();
        try (DagStory story = DagStory.with(
                builder -> builder.activity("odd", Object.class, Object.class, input -> {
                    throw new IllegalStateException("half \uD800 and \0 nul");
                }),
                dag)) {
            DagRun run = story.start("d", Map.of());
            story.advance(Duration.ofSeconds(1));
            try {
                story.dags().approve(run.approvals().get(0).token(), "ada \uD800 \0", "\uDC00");
            } catch (DormouseException refused) {
                story.dags().approve(run.approvals().get(0).token(), "ada", "x");
            }
            story.advance(Duration.ofSeconds(1));
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.FAILED);
            assertThat(run.toMermaid()).isNotEmpty();
        }
    }
}
