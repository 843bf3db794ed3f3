/**
 * Workflow tests under simulated time: the production engine on an in-memory store, where a month passes in
 * milliseconds.
 *
 * <pre>{@code
 * class TrialTest {
 *     private final RecordedMail mail = new RecordedMail();
 *
 *     @RegisterExtension
 *     final DormouseExtension kit = DormouseExtension.of(builder -> builder
 *             .workflow(Trial.class, TrialWorkflow::new)
 *             .activities(Mail.class, mail));
 *
 *     @Test
 *     void trialEndsAfterThirtyDays(TestDormouse test) {
 *         Trial trial = test.dormouse().workflow(Trial.class, "trial-ada");
 *         assertThat(trial.run("ada")).isEqualTo("done");
 *         assertThat(test.elapsed()).isEqualTo(Duration.ofDays(30));
 *     }
 * }
 * }</pre>
 *
 * <p>{@link TestDormouse} explains how time passes, {@link DormouseExtension} is for JUnit, and {@link
 * WorkflowHistories} replays histories of real runs against the present code. {@link dev.dormouse.lint.WorkflowLint}
 * checks compiled workflow code for calls that a replay cannot repeat.
 */
@NullMarked
package dev.dormouse.testing;

import org.jspecify.annotations.NullMarked;
