package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunStatus;
import java.util.UUID;

/**
 * What a start came to.
 *
 * @param isNew whether the run was started by this call; otherwise the workflow id had it already
 * @param status where it stood then
 */
public record StartedRun(UUID runId, boolean isNew, RunStatus status) {}
