package dev.dormouse.internal.run;

import dev.dormouse.inspect.RunStatus;
import java.util.UUID;

/**
 * The result of a start.
 *
 * @param isNew true if this call has started the run; false if the workflow id already had it
 * @param status the status of the run at that time
 */
public record StartedRun(UUID runId, boolean isNew, RunStatus status) {}
