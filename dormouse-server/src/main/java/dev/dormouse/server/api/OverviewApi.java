package dev.dormouse.server.api;

import dev.dormouse.server.view.PageView;
import java.util.List;
import java.util.Optional;

/** Totals, throughput, nodes. */
final class OverviewApi {
    private final Overviews overviews;

    OverviewApi(Overviews overviews) {
        this.overviews = overviews;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/overview", call -> ApiResponse.ok(overviews.overview())),
                Route.get("/throughput", this::throughput, "span"),
                Route.get("/nodes", call -> ApiResponse.ok(new PageView<>(overviews.nodes(), Optional.empty()))));
    }

    private ApiResponse throughput(Call call) {
        Spans.Past span = Spans.Past.of(call.params().text("span").orElse(Spans.Past.QUARTER.text));
        return ApiResponse.ok(overviews.throughput(span));
    }
}
