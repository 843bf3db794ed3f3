package dev.dormouse.replay;

import dev.dormouse.codec.Payload;

/**
 * What a step has returned.
 *
 * @param isFromOutside whether somebody completed it with its token, so that no body has checked the payload
 * @param attempts how often it was tried, as far as that is known
 */
public record StepResult(Payload payload, boolean isFromOutside, int attempts) {}
