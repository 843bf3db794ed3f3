package dev.dormouse.server.view;

import dev.dormouse.store.RunStatus;
import java.util.Optional;

/** How a run has ended. */
public record ResultView(RunStatus status, Optional<Value> result, Optional<FailureView> failure) {}
