package dev.dormouse.server.view;

import java.time.Instant;
import java.util.List;

/**
 * What a server is.
 *
 * @param role what the caller may do
 * @param types of workflows that are registered here
 * @param handlers of timers that are registered here
 * @param dags whether it has DAGs
 */
public record InfoView(
        String version,
        StoreView store,
        Instant now,
        boolean readOnly,
        String role,
        String caller,
        List<String> types,
        List<String> handlers,
        boolean dags) {

    public record StoreView(String kind, String name, String version) {}
}
