package dev.dormouse.internal.history.json;

import dev.dormouse.internal.history.Event;
import java.util.List;
import java.util.UUID;

/** The history of a run, exported from its store. */
public record SavedHistory(String workflowId, UUID runId, List<Event> events) {
    static final int FORMAT = 1;
}
