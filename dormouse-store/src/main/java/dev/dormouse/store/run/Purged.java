package dev.dormouse.store.run;

import dev.dormouse.store.Store;
import java.util.Optional;
import java.util.UUID;

/**
 * The result of {@link Store#purge}.
 *
 * @param runs the number of deleted runs
 * @param next where the next call continues; empty if the end was reached
 */
public record Purged(int runs, Optional<UUID> next) {}
