package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.model.StepStatus;
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

/** People who decide twice, too late, at the same time, or with what they made up. */
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
        DormouseException refused = Sentence.refused("", call);
        assertThat(refused.code()).isIn(ErrorCode.BAD_TOKEN, ErrorCode.TOKEN_USED);
    }

    @Test
    void tokensOfStepsAndRunsAreAllDifferent() {
        DagStory.play(two(), story -> {
            Set<String> tokens = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                story.dags().start("two", "run" + i, null);
            }
            story.advance(SECOND);
            for (int i = 0; i < 20; i++) {
                story.find("run" + i).approvals().forEach(pending -> tokens.add(pending.token()));
            }
            assertThat(tokens).hasSize(40);
        });
    }

    @Test
    void tokenDecidesItsOwnStepOnly() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            story.dags().approve(token(run, "a"), "ada", "");
            story.advance(SECOND);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.COMPLETED);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.WAITING);
            assertThat(run.approvals()).hasSize(1);
            story.dags().approve(token(run, "b"), "bob", "");
            assertThat(DagStory.result(run)).isEqualTo(Map.of("end", List.of("ada", "bob")));
        });
    }

    @Test
    void tokensWithAnyCharacterChangedDecideNothing() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            String token = token(run, "a");
            for (int i = 0; i < token.length(); i++) {
                char other = token.charAt(i) == 'A' ? 'B' : 'A';
                String forged = token.substring(0, i) + other + token.substring(i + 1);
                bad(() -> story.dags().approve(forged, "eve", ""));
            }
            story.advance(SECOND);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.WAITING);
            assertThat(run.state().step("b").status()).isEqualTo(StepStatus.WAITING);
        });
    }

    @Test
    void textsThatAreNoTokensAreRefused() {
        DagStory.play(two(), story -> {
            story.start("two", null);
            story.advance(SECOND);
            Random random = new Random(1);
            for (String text : Sentence.ODD) {
                Sentence.refused(ErrorCode.BAD_TOKEN, () -> story.dags().approve(text, "eve", ""));
                Sentence.refused(ErrorCode.BAD_TOKEN, () -> story.dags().approve("dma1-" + text, "eve", ""));
            }
            for (int i = 0; i < 200; i++) {
                byte[] bytes = new byte[random.nextInt(60)];
                random.nextBytes(bytes);
                String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
                bad(() -> story.dags().reject("dma1-" + text, "eve", ""));
                bad(() -> story.dags().reject("dma1-" + text + "-" + text + "-" + text, "eve", ""));
            }
            Sentence.refused(ErrorCode.BAD_TOKEN, () -> story.dags().reject("x".repeat(1_000_000), "eve", ""));
        });
    }

    @Test
    void approvalAndRejectionAtOnceHaveOneWinner() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            String token = token(run, "a");
            story.dags().approve(token, "ada", "");
            Sentence.refused(ErrorCode.TOKEN_USED, () -> story.dags().reject(token, "eve", ""));
            Sentence.refused(ErrorCode.TOKEN_USED, () -> story.dags().approve(token, "ada", ""));
            story.dags().reject(token(run, "b"), "eve", "");
            DagStory.result(run);
            assertThat(run.state().step("end").status()).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void decisionThatWasAcceptedSurvivesTheProcess() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            String a = token(run, "a");
            String b = token(run, "b");
            story.dags().approve(a, "ada", "");
            story.crash();
            Sentence.refused(ErrorCode.TOKEN_USED, () -> story.dags().reject(a, "eve", ""));
            story.dags().approve(b, "bob", "");
            story.crash();
            assertThat(DagStory.result(story.find("two-1"))).isEqualTo(Map.of("end", List.of("ada", "bob")));
        });
    }

    @Test
    void tokensOfRunsThatWereCancelledOrTerminatedAreUsed() {
        DagStory.play(two(), story -> {
            DagRun one = story.dags().start("two", "one", null);
            DagRun two = story.dags().start("two", "two", null);
            story.advance(SECOND);
            String first = token(one, "a");
            String second = token(two, "a");
            one.handle().cancel("enough");
            two.handle().terminate("enough");
            story.advance(SECOND);
            Sentence.refused(ErrorCode.TOKEN_USED, () -> story.dags().approve(first, "ada", ""));
            Sentence.refused(ErrorCode.TOKEN_USED, () -> story.dags().approve(second, "ada", ""));
        });
    }

    @Test
    void namesAndCommentsOfAllKindsAreKeptOrRefused() {
        for (String text : Sentence.ODD) {
            Sentence.goesWellOrIsRefused(
                    text,
                    () -> DagStory.play(two(), story -> {
                        DagRun run = story.start("two", null);
                        story.advance(SECOND);
                        story.dags().approve(token(run, "a"), text, text);
                        story.dags().approve(token(run, "b"), text, text);
                        assertThat(DagStory.result(run)).isEqualTo(Map.of("end", List.of(text, text)));
                    }));
        }
    }

    @Test
    void nullsAreRefusedAndUseNothingUp() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            String token = token(run, "a");
            Sentence.refused("by", () -> story.dags().approve(token, null, ""));
            Sentence.refused("comment", () -> story.dags().reject(token, "ada", null));
            Sentence.refused("token", () -> story.dags().reject(null, "ada", ""));
            story.dags().approve(token, "ada", "");
        });
    }

    @Test
    void workflowIdsOfAllKindsHaveTokensThatWork() {
        for (String id : List.of("a:b", "a/b", "a-b-c", "ü 😀", "'\"\\", "a%2F", "dma1-", "x".repeat(200))) {
            DagStory.play(two(), story -> {
                DagRun run = story.dags().start("two", id, null);
                story.advance(SECOND);
                story.dags().approve(token(run, "a"), "ada", "");
                story.dags().approve(token(run, "b"), "bob", "");
                assertThat(DagStory.result(run)).isEqualTo(Map.of("end", List.of("ada", "bob")));
            });
        }
    }

    @Test
    void approvalThatIsMovedToThePastIsOver() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            String token = token(run, "a");
            run.move("a", Instant.EPOCH, "now");
            story.advance(SECOND);
            assertThat(run.state().step("a").status()).isEqualTo(StepStatus.NOT_APPROVED);
            Sentence.refused(ErrorCode.TOKEN_USED, () -> story.dags().approve(token, "ada", ""));
        });
    }

    @Test
    void tokenIsNowhereInTheHistoryOrTheState() {
        DagStory.play(two(), story -> {
            DagRun run = story.start("two", null);
            story.advance(SECOND);
            String token = token(run, "a");
            assertThat(run.state().toString()).doesNotContain(token);
            assertThat(run.approvals().toString()).doesNotContain(token);
            assertThat(run.toString()).doesNotContain(token);
            String message = Sentence.refused("", () -> story.dags().approve(token + "x", "eve", ""))
                    .getMessage();
            assertThat(message).doesNotContain(token);
        });
    }
}
