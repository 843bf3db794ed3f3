package dev.dormouse.chaos.workload;

import java.util.UUID;

/** One step of one run. Steps of a run have different names here. */
public record RunStep(UUID runId, String step) {}
