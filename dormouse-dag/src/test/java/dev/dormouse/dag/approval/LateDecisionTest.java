package dev.dormouse.dag.approval;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.TypeRef;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A decision without effect is refused with an error. */
class LateDecisionTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static void refused(DagScenario scenario, String token) {
        assertThatThrownBy(() -> scenario.dags().approve(token, "ada", ""))
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
        try (DagScenario scenario = DagScenario.of(dag, slow)) {
            DagRun run = scenario.start("d", null);
            scenario.advance(SECOND);
            String token = run.approvals().get(0).token();
            run.handle().cancel("no");
            scenario.advance(SECOND);
            refused(scenario, token);
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
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity(
                        "leak", new TypeRef<Map<String, Object>>() {}, TypeRef.of(Object.class), input -> {
                            token[0] = String.valueOf(input.get("token"));
                            throw new IllegalStateException("mail server is down");
                        }),
                dag,
                slow)) {
            scenario.start("d", null);
            scenario.advance(SECOND);
            refused(scenario, token[0]);
        }
    }
}
