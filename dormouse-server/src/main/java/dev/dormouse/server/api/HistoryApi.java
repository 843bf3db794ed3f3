package dev.dormouse.server.api;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.internal.client.Descriptions;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.json.HistoryJson;
import dev.dormouse.internal.history.json.SavedHistory;
import dev.dormouse.server.request.ApiJson;
import dev.dormouse.server.view.EventDetail;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.TokenRedactor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The history of a run, as pages and as a file that can be replayed. */
final class HistoryApi {
    /** A page of this size is full, however few events it has. */
    private static final int MAX_BYTES = 4 << 20;

    private final RunLookup runs;

    HistoryApi(RunLookup runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/workflows/{id}/history", this::history, "run", "after", "page", "limit"),
                Route.get("/workflows/{id}/export", this::export, "run"));
    }

    private ApiResponse history(Call call) {
        int after = call.params().number("after", -1, Integer.MAX_VALUE - 1, -1);
        int first = call.params().number("page", -1, Integer.MAX_VALUE - 1, after) + 1;
        int limit = call.params().limit();
        List<Event> events = TokenRedactor.redact(RunAccess.of(runs.find(call)).events());
        List<HistoryEvent> lines = Descriptions.history(events);
        int last = (int) Math.min(events.size(), (long) first + limit);
        List<EventView> items = new ArrayList<>();
        long bytes = 0;
        for (int seq = first; seq < last && bytes < MAX_BYTES; seq++) {
            EventView item = EventView.of(lines.get(seq), events.get(seq));
            items.add(item);
            bytes += ApiJson.bytes(item).length;
        }
        int end = first + items.size();
        boolean isMore = end < events.size() && first < events.size();
        return ApiResponse.ok(new PageView<>(items, isMore ? Optional.of(String.valueOf(end - 1)) : Optional.empty()));
    }

    /**
     * Returns the history as JSON. Callers that may not decide approvals get it without tokens; it can still be
     * replayed.
     */
    private static String json(WorkflowHandle<JsonNode> run, Caller caller) {
        List<Event> events = RunAccess.of(run).events();
        return caller.role().covers(Role.OPERATOR)
                ? HistoryJson.write(new SavedHistory(run.workflowId(), run.runId(), events))
                : TokenRedactor.redact(HistoryJson.write(
                        new SavedHistory(run.workflowId(), run.runId(), TokenRedactor.redactForReplay(events))));
    }

    private ApiResponse export(Call call) {
        WorkflowHandle<JsonNode> run = runs.find(call);
        String file = run.workflowId().replaceAll("[^A-Za-z0-9._-]", "_");
        return new ApiResponse(
                        200, ApiResponse.JSON, json(run, call.caller()).getBytes(StandardCharsets.UTF_8), Map.of(), "")
                .with(
                        "Content-Disposition",
                        "attachment; filename=\"" + file.substring(0, Math.min(80, file.length())) + ".json\"");
    }

    /**
     * An event of a history.
     *
     * @param detail the event's fields, by name
     */
    record EventView(int seq, Instant at, String kind, String summary, Map<String, @Nullable Object> detail) {

        static EventView of(HistoryEvent line, Event event) {
            return new EventView(line.seq(), line.at(), line.kind(), line.summary(), EventDetail.of((Record) event));
        }
    }
}
