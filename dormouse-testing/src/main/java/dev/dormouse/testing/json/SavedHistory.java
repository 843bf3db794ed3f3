package dev.dormouse.testing.json;

import dev.dormouse.history.Event;
import java.util.List;
import java.util.UUID;

/** The history of a run outside of any store. */
public record SavedHistory(String workflowId, UUID runId, List<Event> events) {
    static final int FORMAT = 1;
}
