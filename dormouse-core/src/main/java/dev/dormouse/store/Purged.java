package dev.dormouse.store;

import java.util.Optional;
import java.util.UUID;

/**
 * What a purge did.
 *
 * @param runs how many runs are gone
 * @param next where to go on; empty when the end was reached
 */
public record Purged(int runs, Optional<UUID> next) {}
