package dev.dormouse;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What workflow code can do; {@link Workflow} offers the same as static methods. For the run's own coroutines only.
 *
 * <p>Whatever the code does otherwise must depend on nothing but its input and what these methods return: it is run
 * again from the beginning after every longer wait and every crash.
 */
public interface WorkflowContext {

    /**
     * Executes a step and returns its result, which is committed and never computed again. A step that was in flight in
     * a crash runs again.
     *
     * @param type what the result is read back as after a crash
     */
    <T extends @Nullable Object> T step(String name, Class<T> type, StepFunction<T> body);

    /** Executes a step without a result. */
    void step(String name, StepAction body);

    /** A stub whose calls are steps, executed by what was registered for the interface. */
    <A> A activities(Class<A> type);

    /** Sleeps durably: no thread and no heap for a long one. Zero or less returns at once. */
    void sleep(Duration duration);

    /** Sleeps durably until an instant; one that has passed returns at once. */
    void sleepUntil(Instant instant);

    /** The time of the last event of this run, by the store's clock: the same in every replay. */
    Instant now();

    /** A random UUID that is the same in every replay. */
    UUID randomUuid();

    /**
     * Which version of a change this run goes by: {@code max} for runs that come here for the first time, {@code min}
     * for those that had passed this line before the change was made.
     */
    int version(String change, int min, int max);

    WorkflowInfo info();

    /** A logger of this name that is silent in replay. */
    Logger logger();
}
