package dev.dormouse.server.api;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.TextValues;
import dev.dormouse.server.view.PageView;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Totals, throughput, a histogram of due times, and nodes. */
final class OverviewApi {
    private final Statistics pulse;

    OverviewApi(Statistics pulse) {
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
        LookBack span = LookBack.of(call.params().text("span").orElse(LookBack.QUARTER.text()));
        return ApiResponse.ok(ThroughputView.of(pulse.throughput(span.length()), span.text()));
    }

    private ApiResponse histogram(Call call) {
        String span = call.params().text("span").orElse("hour");
        return ApiResponse.ok(
                HistogramView.of(pulse.histogram(TextValues.oneOf("?span", Statistics.Span.class, span))));
    }

    private ApiResponse nodes(Call call) {
        List<NodeView> nodes = pulse.nodes().stream().map(NodeView::of).toList();
        return ApiResponse.ok(new PageView<>(nodes, Optional.empty()));
    }

    /** The spans of {@code /throughput}. */
    private enum LookBack {
        QUARTER("15m", Duration.ofMinutes(15)),
        HOUR("1h", Duration.ofHours(1)),
        DAY("24h", Duration.ofHours(24));

        private final String text;
        private final Duration length;

        LookBack(String text, Duration length) {
            this.text = text;
            this.length = length;
        }

        String text() {
            return text;
        }

        Duration length() {
            return length;
        }

        static LookBack of(String text) {
            return Arrays.stream(values())
                    .filter(span -> span.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> ApiProblem.bad(
                            "?span", "Expected one of [15m, 1h, 24h], but got " + TextValues.shown(text) + "."));
        }
    }

    /**
     * The totals of the whole store.
     *
     * @param unserved due runs that no living node executes
     */
    record OverviewView(
            Instant now,
            Count running,
            Count waiting,
            Count completedToday,
            Count failed,
            Count stuck,
            Count overdue,
            Count timers,
            Optional<Double> latenessP99Millis,
            List<Statistics.Unserved> unserved) {

        static OverviewView of(Statistics.Overview found, List<Statistics.Unserved> unserved) {
            return new OverviewView(
                    found.now(),
                    found.running(),
                    found.waiting(),
                    found.completedToday(),
                    found.failed(),
                    found.stuck(),
                    found.overdue(),
                    found.timers(),
                    found.latenessP99().map(OverviewView::millis),
                    unserved);
        }

        static Double millis(Duration time) {
            return time.toNanos() / 1e6;
        }
    }

    /** Recent throughput, in slots of equal length. */
    record ThroughputView(Instant now, String span, long slotSeconds, List<Slot> slots) {

        static ThroughputView of(Statistics.Throughput found, String span) {
            return new ThroughputView(
                    found.now(),
                    span,
                    found.slotLength().toSeconds(),
                    found.slots().stream().map(Slot::of).toList());
        }

        record Slot(
                Instant at,
                long started,
                long completed,
                long failed,
                long steps,
                long fired,
                long takeovers,
                Optional<Double> latenessP50Millis,
                Optional<Double> latenessP99Millis) {

            static Slot of(Statistics.Slot slot) {
                return new Slot(
                        slot.at(),
                        slot.started(),
                        slot.completed(),
                        slot.failed(),
                        slot.steps(),
                        slot.fired(),
                        slot.takeovers(),
                        slot.latenessP50().map(OverviewView::millis),
                        slot.latenessP99().map(OverviewView::millis));
            }
        }
    }

    /** The number of alarms that are due, in buckets of time. */
    record HistogramView(
            Instant now, String span, Instant from, Instant to, Count total, Count overdue, List<Bucket> buckets) {

        record Bucket(Instant from, Instant to, long count, boolean exact) {
            static Bucket of(Statistics.Bucket found) {
                return new Bucket(
                        found.from(),
                        found.to(),
                        found.count().count(),
                        found.count().exact());
            }
        }

        static HistogramView of(Statistics.Histogram found) {
            return new HistogramView(
                    found.now(),
                    found.span().name().toLowerCase(Locale.ROOT),
                    found.from(),
                    found.to(),
                    found.total(),
                    found.overdue(),
                    found.buckets().stream().map(Bucket::of).toList());
        }
    }

    /**
     * A node.
     *
     * @param alive true if it was seen within three sweeps
     * @param silent true if it is alive, but has not reported for one and a half sweeps
     * @param recovered the number of runs that it has taken over
     */
    record NodeView(
            String id,
            String name,
            String build,
            Instant startedAt,
            Instant seenAt,
            boolean alive,
            boolean silent,
            List<String> lanes,
            int executing,
            int parked,
            int slots,
            long leaseMillis,
            long recovered) {

        static NodeView of(Statistics.NodeInfo node) {
            return new NodeView(
                    node.id(),
                    node.name(),
                    node.build(),
                    node.startedAt(),
                    node.seenAt(),
                    node.alive(),
                    node.silent(),
                    node.lanes(),
                    node.executing(),
                    node.parked(),
                    node.slots(),
                    node.leasePeriod().toMillis(),
                    node.recovered());
        }
    }
}
