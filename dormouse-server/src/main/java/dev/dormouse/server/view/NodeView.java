package dev.dormouse.server.view;

import java.time.Instant;
import java.util.List;

/** @param recovered how many runs it has taken over */
public record NodeView(
        String id,
        String name,
        String build,
        Instant startedAt,
        Instant seenAt,
        boolean alive,
        List<String> lanes,
        long executing,
        long parked,
        long slots,
        long leaseMillis,
        long recovered) {}
