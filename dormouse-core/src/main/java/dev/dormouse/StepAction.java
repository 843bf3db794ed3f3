package dev.dormouse;

/** The body of a step without a result. It may throw any exception. */
@FunctionalInterface
public interface StepAction {
    /** Executes the step. An exception fails the attempt. */
    void run() throws Exception;
}
