package dev.dormouse.dag.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Decisions that come twice, too late, at the same time, or with a forged token. */
class HostileApprovalsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private static Dag two() {
        return Dag.workflow("two")
                .approval("a", DAY)
                .approval("b", DAY)
                .task("end", "echo")
                .input(List.of("$.steps.a.by", "$.steps.b.by"))
                .after("a", "b")
                .build();
    }

    private static String token(DagRun run, String step) {
        return run.approvals().stream()
                .filter(pending -> pending.step().equals(step))
                .findFirst()
                .orElseThrow()
                .token();
    }

    private static void bad(ThrowingCallable call) {
        DormouseException refused = RefusalAssertions.refused("", call);
        assertThat(refused.code()).isIn(ErrorCode.BAD_TOKEN, ErrorCode.TOKEN_USED);
    }

    @Test
    void tokensOfStepsAndRunsAreAllDifferent() {
        DagScenario.play(two(), scenario -> {
            Set<String> tokens = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                scenario.dags().start("two", "run" + i, null);
            }
            scenario.advance(SECOND);
            for (int i = 0; i < 20; i++) {
                scenario.find("run" + i).approvals().forEach(pending -> tokens.add(pending.token()));
            }
            assertThat(tokens).hasSize(40);
        });
    }

    @Test
    void tokenDecidesItsOwnStepOnly() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            scenario.dags().approve(token(run, "a"), "ada", "");
            scenario.advance(SECOND);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPLETED);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.WAITING);
            assertThat(run.approvals()).hasSize(1);
            scenario.dags().approve(token(run, "b"), "bob", "");
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("end", List.of("ada", "bob")));
        });
    }

    @Test
    void tokensWithAnyCharacterChangedDecideNothing() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            String token = token(run, "a");
            for (int i = 0; i < token.length(); i++) {
                char other = token.charAt(i) == 'A' ? 'B' : 'A';
                String forged = token.substring(0, i) + other + token.substring(i + 1);
                bad(() -> scenario.dags().approve(forged, "eve", ""));
            }
            scenario.advance(SECOND);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.WAITING);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.WAITING);
        });
    }

    @Test
    void malformedTokensAreRefused() {
        DagScenario.play(two(), scenario -> {
            scenario.start("two", null);
            scenario.advance(SECOND);
            Random random = new Random(1);
            for (String text : RefusalAssertions.ODD) {
                RefusalAssertions.refused(
                        ErrorCode.BAD_TOKEN, () -> scenario.dags().approve(text, "eve", ""));
                RefusalAssertions.refused(
                        ErrorCode.BAD_TOKEN, () -> scenario.dags().approve("dma1-" + text, "eve", ""));
            }
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[random.nextInt(60)];
                random.nextBytes(bytes);
                String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
                bad(() -> scenario.dags().reject("dma1-" + text, "eve", ""));
                bad(() -> scenario.dags().reject("dma1-" + text + "-" + text + "-" + text, "eve", ""));
            }
            RefusalAssertions.refused(
                    ErrorCode.BAD_TOKEN, () -> scenario.dags().reject("x".repeat(1_000_000), "eve", ""));
        });
    }

    @Test
    void approvalAndRejectionAtOnceHaveOneWinner() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            String token = token(run, "a");
            scenario.dags().approve(token, "ada", "");
            RefusalAssertions.refused(
                    ErrorCode.TOKEN_USED, () -> scenario.dags().reject(token, "eve", ""));
            RefusalAssertions.refused(
                    ErrorCode.TOKEN_USED, () -> scenario.dags().approve(token, "ada", ""));
            scenario.dags().reject(token(run, "b"), "eve", "");
            DagScenario.result(run);
            assertThat(run.state().step("end").status()).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void acceptedDecisionSurvivesACrash() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            String a = token(run, "a");
            String b = token(run, "b");
            scenario.dags().approve(a, "ada", "");
            scenario.crash();
            RefusalAssertions.refused(
                    ErrorCode.TOKEN_USED, () -> scenario.dags().reject(a, "eve", ""));
            scenario.dags().approve(b, "bob", "");
            scenario.crash();
            assertThat(DagScenario.result(scenario.find("two-1"))).isEqualTo(Map.of("end", List.of("ada", "bob")));
        });
    }

    @Test
    void tokensOfRunsThatWereCancelledOrTerminatedAreUsed() {
        DagScenario.play(two(), scenario -> {
            DagRun one = scenario.dags().start("two", "one", null);
            DagRun two = scenario.dags().start("two", "two", null);
            scenario.advance(SECOND);
            String first = token(one, "a");
            String second = token(two, "a");
            one.handle().cancel("enough");
            two.handle().terminate("enough");
            scenario.advance(SECOND);
            RefusalAssertions.refused(
                    ErrorCode.TOKEN_USED, () -> scenario.dags().approve(first, "ada", ""));
            RefusalAssertions.refused(
                    ErrorCode.TOKEN_USED, () -> scenario.dags().approve(second, "ada", ""));
        });
    }

    @Test
    void namesAndCommentsOfAllKindsAreKeptOrRefused() {
        for (String text : RefusalAssertions.ODD) {
            RefusalAssertions.succeedsOrIsRefused(
                    text,
                    () -> DagScenario.play(two(), scenario -> {
                        DagRun run = scenario.start("two", null);
                        scenario.advance(SECOND);
                        scenario.dags().approve(token(run, "a"), text, text);
                        scenario.dags().approve(token(run, "b"), text, text);
                        assertThat(DagScenario.result(run)).isEqualTo(Map.of("end", List.of(text, text)));
                    }));
        }
    }

    @Test
    void nullsAreRefusedAndDoNotUseTheToken() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            String token = token(run, "a");
            RefusalAssertions.refused("by", () -> scenario.dags().approve(token, null, ""));
            RefusalAssertions.refused("comment", () -> scenario.dags().reject(token, "ada", null));
            RefusalAssertions.refused("token", () -> scenario.dags().reject(null, "ada", ""));
            scenario.dags().approve(token, "ada", "");
        });
    }

    @Test
    void workflowIdsOfAllKindsHaveTokensThatWork() {
        for (String id : List.of("a:b", "a/b", "a-b-c", "ü 😀", "'\"\\", "a%2F", "dma1-", "x".repeat(200))) {
            DagScenario.play(two(), scenario -> {
                DagRun run = scenario.dags().start("two", id, null);
                scenario.advance(SECOND);
                scenario.dags().approve(token(run, "a"), "ada", "");
                scenario.dags().approve(token(run, "b"), "bob", "");
                assertThat(DagScenario.result(run)).isEqualTo(Map.of("end", List.of("ada", "bob")));
            });
        }
    }

    @Test
    void approvalMovedToThePastTimesOut() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            String token = token(run, "a");
            run.move("a", Instant.EPOCH, "now");
            scenario.advance(SECOND);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.NOT_APPROVED);
            RefusalAssertions.refused(
                    ErrorCode.TOKEN_USED, () -> scenario.dags().approve(token, "ada", ""));
        });
    }

    @Test
    void tokenIsNowhereInTheHistoryOrTheState() {
        DagScenario.play(two(), scenario -> {
            DagRun run = scenario.start("two", null);
            scenario.advance(SECOND);
            String token = token(run, "a");
            assertThat(run.state().toString()).doesNotContain(token);
            assertThat(run.approvals().toString()).doesNotContain(token);
            assertThat(run.toString()).doesNotContain(token);
            String message = RefusalAssertions.refused("", () -> scenario.dags().approve(token + "x", "eve", ""))
                    .getMessage();
            assertThat(message).doesNotContain(token);
        });
    }
}
