package dev.dormouse;

/** What a step without a result does. It may throw anything. */
@FunctionalInterface
public interface StepAction {
    void run() throws Exception;
}
