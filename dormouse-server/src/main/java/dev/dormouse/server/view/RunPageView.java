package dev.dormouse.server.view;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page of runs.
 *
 * @param searchedBackTo where the page is not full although there may be more: runs that were started later have been
 *     looked at
 */
public record RunPageView(List<RunView> items, Optional<String> next, Optional<Instant> searchedBackTo) {}
