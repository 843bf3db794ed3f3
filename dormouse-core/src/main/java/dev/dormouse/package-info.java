/**
 * What users import: durable workflows as ordinary Java.
 *
 * <p><b>A workflow</b> is an interface with {@link dev.dormouse.WorkflowInterface} and one
 * {@link dev.dormouse.WorkflowMethod}, and a class that implements it; or a {@link dev.dormouse.WorkflowFunction}. Its
 * code may sleep for a month and survives any crash on the way, because it is run again from its beginning, with the
 * results of all its steps at hand. So it must depend on nothing but its input and what {@link dev.dormouse.Workflow}
 * returns: no clock, no random numbers, no I/O, no threads of its own.
 *
 * <pre>{@code
 * public class TrialWorkflow implements Trial {
 *   private final Mail mail = Workflow.activities(Mail.class);
 *
 *   public String run(String user) {
 *     mail.welcome(user);
 *     Workflow.sleep(Duration.ofDays(30));
 *     mail.trialIsOver(user);
 *     return "done";
 *   }
 * }
 * }</pre>
 *
 * <p><b>A step</b> touches the world: a call of an activity ({@link dev.dormouse.ActivityInterface}), or
 * {@code Workflow.step("name", Receipt.class, () -> …)}. Its result is committed, and it never runs again after that; in
 * a crash it may run a second time.
 *
 * <p><b>Undoing</b>: {@link dev.dormouse.Compensate} names the activity that a method undoes when a run fails, and a
 * {@link dev.dormouse.Saga} is for undoing by hand.
 *
 * <p><b>A run</b> is one execution of a workflow under a workflow id that you choose. Starting the same id twice gives
 * one run. {@link dev.dormouse.Dormouse} starts runs and executes them, {@link dev.dormouse.WorkflowHandle} is a run
 * from outside, {@link dev.dormouse.StartOptions} has delay, timeout and what happens to an id that was used before.
 *
 * <p><b>Changed code</b> is compared with the history of each run that it meets. Guard a change with
 * {@link dev.dormouse.Workflow#version}; a run that does not match is stuck, loses nothing, and goes on when the right
 * code is deployed.
 *
 * <p>Every error is a {@link dev.dormouse.error.DormouseException} with a code such as {@code [DM1003]}.
 */
@NullMarked
package dev.dormouse;

import org.jspecify.annotations.NullMarked;
