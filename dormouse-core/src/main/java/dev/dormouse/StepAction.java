package dev.dormouse;

/** The body of a step without a result. It may throw any exception. */
@FunctionalInterface
public interface StepAction {
    /**
     * Executes the step.
     *
     * @throws Exception any exception; it fails the attempt
     */
    void run() throws Exception;
}
