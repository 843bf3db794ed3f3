package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Steps that wait for a person. */
class ApprovalStepTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private static Dag shipping() {
        return Dag.workflow("ship")
                .approval("ok", DAY)
                .ask("log")
                .input(Map.of("order", "$.input.id"))
                .onFailure("refund")
                .task("ship", "log")
                .input("shipped")
                .after("ok")
                .task("refund", "log")
                .input(Map.of("why", "$.failure.message"))
                .build();
    }

    private static String token(DagRun run) {
        assertThat(run.approvals()).hasSize(1);
        return run.approvals().get(0).token();
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @Test
    void approvedGoesOn() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            assertThat(run.state().step("ok").status()).isEqualTo(StepStatus.WAITING);
            story.dags().approve(token(run), "ada", "fine");
            assertThat(DagStory.result(run)).isEqualTo(Map.of("ship", "shipped"));
            assertThat(run.state().step("ok").output())
                    .contains(Map.of("approved", true, "by", "ada", "comment", "fine"));
            assertThat(run.state().step("refund").status()).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void whoIsAskedGetsTheToken() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            assertThat(story.log()).hasSize(1);
            assertThat(story.log().get(0))
                    .contains("token=" + token(run), "input={order=17}", "until=2030-01-02T00:00:00Z", "step=ok");
        });
    }

    @Test
    void rejectedShipsNothingAndDoesNotFailTheRun() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            story.dags().reject(token(run), "eve", "too dear");
            DagStory.result(run);
            assertThat(run.state().step("ok").status()).isEqualTo(StepStatus.NOT_APPROVED);
            assertThat(run.state().step("ok").output())
                    .contains(Map.of("approved", false, "by", "eve", "comment", "too dear"));
            assertThat(run.state().step("ship").status()).isEqualTo(StepStatus.SKIPPED);
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(story.log()).last().asString().contains("why=it was not approved");
        });
    }

    @Test
    void timeoutIsAnOutcomeThatShipsNothing() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            DagStory.result(run);
            assertThat(story.test().elapsed()).isEqualTo(DAY);
            assertThat(run.state().step("ok").output()).contains(Map.of("approved", false, "timeout", true));
            assertThat(run.state().step("ship").status()).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void tokenCountsOnce() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            String token = token(run);
            story.dags().approve(token, "ada", "");
            refused(ErrorCode.TOKEN_USED, () -> story.dags().approve(token, "ada", ""));
            refused(ErrorCode.TOKEN_USED, () -> story.dags().reject(token, "eve", ""));
            DagStory.result(run);
            refused(ErrorCode.TOKEN_USED, () -> story.dags().reject(token, "eve", ""));
            assertThat(run.approvals()).isEmpty();
        });
    }

    @Test
    void tokenOfWhichTheTimeIsUpCountsNoMore() {
        Dag dag = Dag.workflow("ship")
                .approval("ok", DAY)
                .sleep("then", DAY)
                .task("never", "log")
                .after("ok")
                .build();
        DagStory.play(dag, story -> {
            DagRun run = story.start("ship", null);
            story.advance(SECOND);
            String token = token(run);
            run.move("ok", story.test().now().plus(SECOND), "hurry");
            story.advance(SECOND.multipliedBy(2));
            refused(ErrorCode.TOKEN_USED, () -> story.dags().approve(token, "ada", ""));
            assertThat(run.state().step("ok").status()).isEqualTo(StepStatus.NOT_APPROVED);
        });
    }

    @Test
    void whatIsNoTokenIsRefused() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            String token = token(run);
            for (String bad :
                    new String[] {"", "x", "dma1-", "dma1-%%%", token.substring(0, 30), token + "A", "dm1-abc"}) {
                refused(ErrorCode.BAD_TOKEN, () -> story.dags().approve(bad, "ada", ""));
            }
            refused(ErrorCode.BAD_TOKEN, () -> story.dags().approve(null, "ada", ""));
            story.dags().approve("  " + token + "\n", "ada", "");
        });
    }

    @Test
    void tokenOfAnotherRunDecidesNothing() {
        DagStory.play(shipping(), story -> {
            DagRun one = story.dags().start("ship", "one", Map.of("id", 1));
            DagRun two = story.dags().start("ship", "two", Map.of("id", 2));
            story.advance(SECOND);
            assertThat(token(one)).isNotEqualTo(token(two));
            story.dags().approve(token(one), "ada", "");
            DagStory.result(one);
            assertThat(two.state().step("ok").status()).isEqualTo(StepStatus.WAITING);
        });
    }

    @Test
    void approvalAndItsTokenSurviveTheProcess() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            String token = token(run);
            story.crash();
            assertThat(token(story.find("ship-1"))).isEqualTo(token);
            story.dags().approve(token, "ada", "");
            assertThat(DagStory.result(story.find("ship-1"))).isEqualTo(Map.of("ship", "shipped"));
        });
    }

    @Test
    void secretsAreNotPrinted() {
        DagStory.play(shipping(), story -> {
            DagRun run = story.start("ship", Map.of("id", 17));
            story.advance(SECOND);
            assertThat(run.state().toString() + run.approvals() + run.toMermaid() + run)
                    .doesNotContain(token(run));
        });
    }
}
