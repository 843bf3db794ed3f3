package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;

/** The value that a step has returned, or with which it was completed from outside. */
public record StepResult(Payload payload) {}
