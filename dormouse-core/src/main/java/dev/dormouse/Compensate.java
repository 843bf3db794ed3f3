package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an activity interface that undoes another. When a run fails or ends as cancelled, it first undoes all
 * calls of that activity that had completed, the last first; then it is closed with the failure that it had.
 *
 * <pre>{@code
 * @ActivityInterface
 * public interface Travel {
 *   String bookHotel(String guest, int nights);
 *
 *   @Compensate(forActivity = "bookHotel")
 *   void cancelHotel(String guest, int nights, String booking);
 * }
 * }</pre>
 *
 * <p>It has no parameters, or exactly those of the activity, or those and then the activity's result. It gets what the
 * activity got and returned. Each is a step like any other: durable, called again after a crash in the middle of it, and
 * tried again after a failure, by the options of the stub, by default without end. One that fails for good does not keep
 * the others from being called; its failure is suppressed in that of the run, and logged as {@code [DM3015]}.
 *
 * <p><b>A call that failed for good is not undone</b>, although part of it may have happened; nor is one that a cancel
 * interrupted. Let such an activity undo its own part, or use a {@link Saga}, add the compensation before the call, and
 * make it bear that there is nothing to undo. Calls that other coroutines have under way when the workflow fails are
 * waited for; new ones are refused with {@link dev.dormouse.error.CanceledFailure}.
 *
 * <p>Nothing is undone by a run that completes, continues as new, is terminated or exceeds its execution timeout, nor by
 * one whose code throws an {@link Error}: that is no failure of the run, which is tried again.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Compensate {
    /** The name of the activity that it undoes: another method of the interface, and the only one of that name. */
    String forActivity();
}
