package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Timeline;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A timeline as the API tells it. What has no instant cannot be drawn, and is left out. */
final class TimelineJson {
    private TimelineJson() {}

    static Timeline read(JsonNode timeline) {
        return new Timeline(
                Json.stream(timeline.path("rows")).map(TimelineJson::row).toList(),
                Json.stream(timeline.path("lines")).flatMap(TimelineJson::mark).toList());
    }

    private static Timeline.Row row(JsonNode row) {
        return new Timeline.Row(
                Json.text(row, "kind"),
                Json.text(row, "name"),
                Json.text(row, "result"),
                Json.stream(row.path("bars")).flatMap(TimelineJson::bar).toList());
    }

    private static Stream<Timeline.Bar> bar(JsonNode bar) {
        return Json.instant(bar, "from")
                .map(from -> new Timeline.Bar(
                        from,
                        Json.instant(bar, "to"),
                        Json.text(bar, "state"),
                        bar.path("attempt").asInt(1),
                        Json.text(bar, "note")))
                .stream();
    }

    private static Stream<Timeline.Mark> mark(JsonNode line) {
        return Json.instant(line, "at")
                .map(at -> new Timeline.Mark(at, Json.text(line, "kind"), Json.text(line, "text")))
                .stream();
    }
}
