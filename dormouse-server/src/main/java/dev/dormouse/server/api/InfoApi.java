package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.NodeProfile;
import dev.dormouse.server.view.InfoView;
import dev.dormouse.store.StoreOutage;
import java.util.List;
import java.util.Locale;

/** What this server is. */
final class InfoApi {
    private final Dormouse dormouse;
    private final boolean hasDags;
    private final boolean readOnly;
    private volatile NodeProfile last;

    InfoApi(Dormouse dormouse, boolean hasDags, boolean readOnly) {
        this.dormouse = dormouse;
        this.hasDags = hasDags;
        this.readOnly = readOnly;
        this.last = dormouse.profile();
    }

    List<Route> routes() {
        return List.of(Route.get("/info", this::info), Route.get("/errors/{code}", ErrorsApi::explain));
    }

    private ApiResponse info(Call call) {
        List<StoreOutage> outages = dormouse.outages();
        if (outages.isEmpty()) {
            last = dormouse.profile(); // asks the store which version it has
        }
        NodeProfile node = last;
        return ApiResponse.ok(new InfoView(
                Version.text(),
                new InfoView.StoreView(
                        node.store().kind(), node.store().name(), node.store().version()),
                dormouse.now(),
                readOnly,
                call.caller().role().name().toLowerCase(Locale.ROOT),
                call.caller().name(),
                node.workflows().keySet().stream()
                        .filter(type -> !type.endsWith(":"))
                        .toList(),
                List.copyOf(node.handlers()),
                hasDags,
                outages.stream().map(InfoView.OutageView::of).toList()));
    }
}
