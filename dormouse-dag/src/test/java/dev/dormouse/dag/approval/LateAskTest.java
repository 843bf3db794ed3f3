package dev.dormouse.dag.approval;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An approval that timed out is refused, even if its ask activity has not succeeded yet. */
class LateAskTest {
    @Test
    void approvalAfterItsTimeIsRefusedWhileTheQuestionIsTriedAgain() {
        Dag dag = Dag.workflow("d")
                .approval("ok", Duration.ofHours(1))
                .ask("mail")
                .task("ship", "log")
                .after("ok")
                .build();
        AtomicBoolean up = new AtomicBoolean();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activityOptions(dev.dormouse.ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT))
                        .activity("mail", Object.class, Object.class, input -> {
                            if (!up.get()) {
                                throw new IllegalStateException("mail server is down");
                            }
                            return "sent";
                        }),
                dag)) {
            DagRun run = scenario.start("d", null);
            scenario.advance(Duration.ofSeconds(10));
            String token = run.approvals().get(0).token();
            scenario.advance(Duration.ofHours(3));
            assertThatThrownBy(() -> scenario.dags().approve(token, "ada", ""))
                    .isInstanceOf(DormouseException.class)
                    .hasMessageContaining("its time is up");
        }
    }
}
