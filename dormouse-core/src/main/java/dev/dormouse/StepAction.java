package dev.dormouse;

/** The body of a step without a result. It may throw any exception. */
@FunctionalInterface
public interface StepAction {
    void run() throws Exception;
}
