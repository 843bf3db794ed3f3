package dev.dormouse.server.view;

import dev.dormouse.store.StoreOutage;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What a server is.
 *
 * @param role what the caller may do
 * @param types of workflows that are registered here
 * @param handlers of timers that are registered here
 * @param dags whether it has DAGs
 * @param outages of the store, as this server's node sees it; known even while the store does not answer
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
        boolean dags,
        List<OutageView> outages) {

    public record StoreView(String kind, String name, String version) {}

    /**
     * An outage of the store. It names no hosts and files, which the log does.
     *
     * @param cause away, read_only, full, blocked or refused
     * @param text a sentence about it
     */
    public record OutageView(String cause, String text, long lastingMillis) {
        public static OutageView of(StoreOutage outage) {
            return new OutageView(
                    outage.trouble().name().toLowerCase(Locale.ROOT),
                    "The store " + outage.trouble().begins()
                            + ", for " + outage.lasting().toSeconds()
                            + " s. Nothing is lost: what needs the store waits. The server's log has the reason.",
                    outage.lasting().toMillis());
        }
    }
}
