package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;

/**
 * A timer without a workflow, with all there is to see.
 *
 * @param workflowId the id of its run, for its history
 * @param payload what its handler is called with; empty where its history cannot be read
 */
public record TimerDetailView(@JsonUnwrapped TimerView timer, String workflowId, Optional<Value> payload) {}
