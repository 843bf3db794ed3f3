package dev.dormouse.replay;

import dev.dormouse.codec.Payload;

/** What a step has returned, or was completed with from outside. */
public record StepResult(Payload payload) {}
