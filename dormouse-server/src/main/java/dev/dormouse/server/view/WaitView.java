package dev.dormouse.server.view;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that a run's code waits for.
 *
 * @param call its number in the run
 * @param at the line of code
 */
public record WaitView(
        int call, String kind, String name, Instant since, Optional<Instant> until, boolean canMove, String at) {}
