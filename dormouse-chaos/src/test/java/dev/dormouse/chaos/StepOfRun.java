package dev.dormouse.chaos;

import java.util.UUID;

/** One step of one run. Steps of a run have different names here. */
record StepOfRun(UUID runId, String step) {}
