package dev.dormouse.replay;

import dev.dormouse.codec.Payload;

/** The value that a step has returned, or was completed with from outside. */
public record StepResult(Payload payload) {}
