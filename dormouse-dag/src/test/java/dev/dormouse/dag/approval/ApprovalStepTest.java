package dev.dormouse.dag.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Approval steps, which wait for the decision of a person. */
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
    void approvedRunContinues() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            assertThat(run.state().step("ok").status()).isEqualTo(StepStatus.WAITING);
            scenario.dags().approve(token(run), "ada", "fine");
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("ship", "shipped"));
            assertThat(run.state().step("ok").output())
                    .contains(Map.of("approved", true, "by", "ada", "comment", "fine"));
            assertThat(run.state().step("refund").status()).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void askActivityGetsTheToken() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            assertThat(scenario.log()).hasSize(1);
            assertThat(scenario.log().get(0))
                    .contains("token=" + token(run), "input={order=17}", "until=2030-01-02T00:00:00Z", "step=ok");
        });
    }

    @Test
    void rejectedShipsNothingAndDoesNotFailTheRun() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            scenario.dags().reject(token(run), "eve", "too dear");
            DagScenario.result(run);
            assertThat(run.state().step("ok").status()).isEqualTo(StepStatus.NOT_APPROVED);
            assertThat(run.state().step("ok").output())
                    .contains(Map.of("approved", false, "by", "eve", "comment", "too dear"));
            assertThat(run.state().step("ship").status()).isEqualTo(StepStatus.SKIPPED);
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(scenario.log()).last().asString().contains("why=it was not approved");
        });
    }

    @Test
    void timeoutIsAnOutcomeThatShipsNothing() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            DagScenario.result(run);
            assertThat(scenario.test().elapsed()).isEqualTo(DAY);
            assertThat(run.state().step("ok").output()).contains(Map.of("approved", false, "timeout", true));
            assertThat(run.state().step("ship").status()).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void tokenWorksOnce() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            String token = token(run);
            scenario.dags().approve(token, "ada", "");
            refused(ErrorCode.TOKEN_USED, () -> scenario.dags().approve(token, "ada", ""));
            refused(ErrorCode.TOKEN_USED, () -> scenario.dags().reject(token, "eve", ""));
            DagScenario.result(run);
            refused(ErrorCode.TOKEN_USED, () -> scenario.dags().reject(token, "eve", ""));
            assertThat(run.approvals()).isEmpty();
        });
    }

    @Test
    void tokenIsRefusedAfterItsTimeout() {
        Dag dag = Dag.workflow("ship")
                .approval("ok", DAY)
                .sleep("then", DAY)
                .task("never", "log")
                .after("ok")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("ship", null);
            scenario.advance(SECOND);
            String token = token(run);
            run.move("ok", scenario.test().now().plus(SECOND), "hurry");
            scenario.advance(SECOND.multipliedBy(2));
            refused(ErrorCode.TOKEN_USED, () -> scenario.dags().approve(token, "ada", ""));
            assertThat(run.state().step("ok").status()).isEqualTo(StepStatus.NOT_APPROVED);
        });
    }

    @Test
    void malformedTokenIsRefused() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            String token = token(run);
            for (String bad :
                    new String[] {"", "x", "dma1-", "dma1-%%%", token.substring(0, 30), token + "A", "dm1-abc"}) {
                refused(ErrorCode.BAD_TOKEN, () -> scenario.dags().approve(bad, "ada", ""));
            }
            refused(ErrorCode.BAD_TOKEN, () -> scenario.dags().approve(null, "ada", ""));
            scenario.dags().approve("  " + token + "\n", "ada", "");
        });
    }

    @Test
    void tokenOfAnotherRunDecidesNothing() {
        DagScenario.play(shipping(), scenario -> {
            DagRun one = scenario.dags().start("ship", "one", Map.of("id", 1));
            DagRun two = scenario.dags().start("ship", "two", Map.of("id", 2));
            scenario.advance(SECOND);
            assertThat(token(one)).isNotEqualTo(token(two));
            scenario.dags().approve(token(one), "ada", "");
            DagScenario.result(one);
            assertThat(two.state().step("ok").status()).isEqualTo(StepStatus.WAITING);
        });
    }

    @Test
    void approvalAndItsTokenSurviveACrash() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            String token = token(run);
            scenario.crash();
            assertThat(token(scenario.find("ship-1"))).isEqualTo(token);
            scenario.dags().approve(token, "ada", "");
            assertThat(DagScenario.result(scenario.find("ship-1"))).isEqualTo(Map.of("ship", "shipped"));
        });
    }

    @Test
    void secretsAreNotPrinted() {
        DagScenario.play(shipping(), scenario -> {
            DagRun run = scenario.start("ship", Map.of("id", 17));
            scenario.advance(SECOND);
            assertThat(run.state().toString() + run.approvals() + run.toMermaid() + run)
                    .doesNotContain(token(run));
        });
    }
}
