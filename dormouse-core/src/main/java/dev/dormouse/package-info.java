/**
 * The public API: durable workflows as ordinary Java.
 *
 * <p><b>A workflow</b> is an interface with {@link dev.dormouse.WorkflowInterface} and one
 * {@link dev.dormouse.WorkflowMethod}, and a class that implements it; or a {@link dev.dormouse.WorkflowFunction}. Its
 * code may sleep for a month and survives any crash, because it is executed again from its beginning, with the recorded
 * results of all its steps. So it must depend only on its input and on the values that {@link dev.dormouse.Workflow}
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
 * <p><b>A step</b> has side effects: a call of an activity ({@link dev.dormouse.ActivityInterface}), or
 * {@code Workflow.step("name", Receipt.class, () -> …)}. Once its result is committed, it is never executed again;
 * after a crash before that, it may be executed a second time.
 *
 * <p><b>Compensation</b>: {@link dev.dormouse.Compensate} marks a method that undoes an activity when a run fails; a
 * {@link dev.dormouse.Saga} is for explicit compensation.
 *
 * <p><b>A run</b> is one execution of a workflow under a workflow id that you choose. Starting the same id twice gives
 * one run. {@link dev.dormouse.Dormouse} starts and executes runs, {@link dev.dormouse.WorkflowHandle} controls a run
 * from outside, and {@link dev.dormouse.StartOptions} has the delay, the timeout and the behavior for an id that was
 * used before.
 *
 * <p><b>Changed code</b> is compared with the history of each run that it executes. Guard a change with
 * {@link dev.dormouse.Workflow#version}. A run that does not match is stuck, loses nothing, and continues when matching
 * code is deployed.
 *
 * <p>Every error is a {@link dev.dormouse.error.DormouseException} with a code such as {@code [DM1003]}.
 */
@NullMarked
package dev.dormouse;

import org.jspecify.annotations.NullMarked;
