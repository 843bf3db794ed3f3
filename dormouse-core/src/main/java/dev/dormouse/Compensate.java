package dev.dormouse;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an activity interface that undoes another method. When a run fails or ends as cancelled, it first
 * undoes all completed calls of that activity, the last one first. Then it closes with its original failure.
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
 * <p>The method has no parameters, or exactly those of the activity, or those and then the activity's result. It
 * receives the activity's arguments and result. Each compensation is a step like any other: durable, executed again
 * after a crash, and retried after a failure by the options of the stub, by default indefinitely. A compensation that
 * fails for good does not prevent the others from running. Its failure is suppressed in the run's failure, and logged
 * as {@code [DM3015]}.
 *
 * <p><b>By default, a call that failed for good is not undone</b>, although part of it may have taken effect; nor is a
 * call that was interrupted by a cancellation. Let such an activity undo its own part, or set {@link #evenIfFailed}. If
 * other coroutines have calls in flight when the workflow fails, the run waits for them; new calls are refused with
 * {@link dev.dormouse.error.CancelledException}.
 *
 * <p>A run that completes, continues as new, is terminated or exceeds its execution timeout undoes nothing. Neither
 * does a run whose code throws an {@link Error}: that is not a failure of the run, which is tried again.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Compensate {
    /**
     * Returns the name of the activity that this method undoes: the name that {@link ActivityMethod} declares, or else
     * that of the method. It is another method of the same interface, and the only one with that name.
     */
    String forActivity();

    /**
     * Returns true to undo also a call that failed for good, or that a cancellation interrupted, because part of it may
     * have taken effect. Default: false, only completed calls are undone.
     *
     * <p>The compensation must tolerate that there is nothing to undo. If it has a parameter for the result, that is
     * null after such a call; therefore the parameter of an activity that returns an {@code int} is an {@code Integer}.
     * A call that never began, because its scope was already cancelled, is not undone.
     *
     * <p>An activity that was interrupted by a cancellation may still execute for a short time while its compensation
     * runs, if it does not react to the interrupt.
     */
    boolean evenIfFailed() default false;
}
