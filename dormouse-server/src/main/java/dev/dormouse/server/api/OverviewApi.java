package dev.dormouse.server.api;

import dev.dormouse.Pulse;
import dev.dormouse.server.view.HistogramView;
import dev.dormouse.server.view.NodeView;
import dev.dormouse.server.view.OverviewView;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.ThroughputView;
import java.util.List;
import java.util.Optional;

/** Totals, throughput, what is due when, nodes. */
final class OverviewApi {
    private final Pulse pulse;

    OverviewApi(Pulse pulse) {
        this.pulse = pulse;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/overview", call -> ApiResponse.ok(OverviewView.of(pulse.overview(), pulse.unserved()))),
                Route.get("/throughput", this::throughput, "span"),
                Route.get("/timers/histogram", this::histogram, "span"),
                Route.get("/nodes", this::nodes, "limit", "page"));
    }

    private ApiResponse throughput(Call call) {
        Spans span = Spans.of(call.params().text("span").orElse(Spans.QUARTER.text()));
        return ApiResponse.ok(ThroughputView.of(pulse.throughput(span.length()), span.text()));
    }

    private ApiResponse histogram(Call call) {
        String span = call.params().text("span").orElse("hour");
        return ApiResponse.ok(HistogramView.of(pulse.histogram(Texts.oneOf("?span", Pulse.Span.class, span))));
    }

    private ApiResponse nodes(Call call) {
        List<NodeView> nodes = pulse.nodes().stream().map(NodeView::of).toList();
        return ApiResponse.ok(new PageView<>(nodes, Optional.empty()));
    }
}
