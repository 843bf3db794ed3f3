package dev.dormouse.server.api;

import dev.dormouse.server.view.HistogramView;
import dev.dormouse.server.view.NodeView;
import dev.dormouse.server.view.OverviewView;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.ThroughputView;
import dev.dormouse.server.view.UpcomingView;
import java.util.List;
import java.util.Optional;

/** Totals and what comes next, over all runs. */
interface Overviews {

    OverviewView overview();

    ThroughputView throughput(Spans.Past span);

    List<NodeView> nodes();

    /** What is pending, by due time. */
    PageView<UpcomingView> upcoming(Optional<String> kind, int limit, Optional<String> page);

    HistogramView histogram(Spans.Ahead span);
}
