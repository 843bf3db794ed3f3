package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.RetryPolicy;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An approval whose time is up cannot be given any more, also if the question has not been put yet. */
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
        try (DagStory story = DagStory.with(
                builder -> builder.activityOptions(dev.dormouse.ActivityOptions.DEFAULT.retry(RetryPolicy.DEFAULT))
                        .activity("mail", Object.class, Object.class, input -> {
                            if (!up.get()) {
                                throw new IllegalStateException("mail server is down");
                            }
                            return "sent";
                        }),
                dag)) {
            DagRun run = story.start("d", null);
            story.advance(Duration.ofSeconds(10));
            String token = run.approvals().get(0).token();
            story.advance(Duration.ofHours(3));
            assertThatThrownBy(() -> story.dags().approve(token, "ada", ""))
                    .isInstanceOf(DormouseException.class)
                    .hasMessageContaining("its time is up");
        }
    }
}
