package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.TypeRef;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whoever decides is told when that has no effect any more. */
class LateDecisionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static void refused(DagStory story, String token) {
        assertThatThrownBy(() -> story.dags().approve(token, "ada", ""))
                .isInstanceOf(DormouseException.class)
                .hasMessageContaining("Expected an approval that waits");
    }

    @Test
    void approvalOfACancelledRunIsRefused() {
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .compensate("undo")
                .approval("ok", Duration.ofDays(1))
                .after("a")
                .subWorkflow("undo", "slow")
                .build();
        Dag slow = Dag.workflow("slow").sleep("nap", Duration.ofHours(1)).build();
        try (DagStory story = DagStory.of(dag, slow)) {
            DagRun run = story.start("d", null);
            story.advance(SECOND);
            String token = run.approvals().get(0).token();
            run.handle().cancel("no");
            story.advance(SECOND);
            refused(story, token);
        }
    }

    @Test
    void approvalWhoseQuestionHasFailedIsRefused() {
        Dag dag = Dag.workflow("d")
                .approval("ok", Duration.ofDays(1))
                .ask("leak")
                .onFailure("slowly")
                .subWorkflow("slowly", "slow")
                .build();
        Dag slow = Dag.workflow("slow").sleep("nap", Duration.ofHours(1)).build();
        String[] token = {""};
        try (DagStory story = DagStory.with(
                builder -> builder.activity(
                        "leak", new TypeRef<Map<String, Object>>() {}, TypeRef.of(Object.class), input -> {
                            token[0] = String.valueOf(input.get("token"));
                            throw new IllegalStateException("mail server is down");
                        }),
                dag,
                slow)) {
            story.start("d", null);
            story.advance(SECOND);
            refused(story, token[0]);
        }
    }
}
