package dev.dormouse.engine;

import dev.dormouse.codec.Payload;

/** A step that the code wants to be executed. */
public record StepCall(int call, String name, Body body) {

    /** What the step does. Runs outside of the workflow's code, possibly on another thread. */
    @FunctionalInterface
    public interface Body {
        Payload run() throws Exception;
    }
}
