package dev.dormouse.server.api;

import dev.dormouse.server.view.AcceptedView;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.RunView;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The descriptions of all routes. */
final class OpenApiOperations {
    private static final String[] SCHEDULE = {
        "cron=text",
        "zone=text",
        "every=duration",
        "anchor=instant",
        "workflow=text",
        "input=any",
        "timer=text",
        "payload=any",
        "overlap=text",
        "catchUp=text",
        "jitter=duration",
        "idPrefix=text"
    };

    private final Map<String, OpenApiOperation> all = new LinkedHashMap<>();

    static Map<String, OpenApiOperation> all() {
        OpenApiOperations operations = new OpenApiOperations();
        operations.looks();
        operations.runs();
        operations.timers();
        operations.schedules();
        operations.others();
        return operations.all;
    }

    private void put(String route, String summary, Type answer, String... body) {
        put(route, summary, Map.of(200, answer), body);
    }

    private void put(String route, String summary, Map<Integer, Type> answers, String... body) {
        all.put(route, new OpenApiOperation(summary, answers, List.of(body)));
    }

    private void looks() {
        put("GET /info", "What this server is", InfoApi.InfoView.class);
        put("GET /errors/{code}", "What an error code means", InfoApi.ErrorCodeView.class);
        put("GET /overview", "How things are in the whole store", OverviewApi.OverviewView.class);
        put(
                "GET /throughput",
                "What was done lately, in slots; span is 15m, 1h or 24h",
                OverviewApi.ThroughputView.class);
        put(
                "GET /nodes",
                "Nodes that live, and those that died within the last hour",
                page(OverviewApi.NodeView.class));
        put(
                "GET /timers/histogram",
                "How much is due when, in 60 buckets; span is hour, day, week or all",
                OverviewApi.HistogramView.class);
    }

    private void runs() {
        put(
                "GET /workflows",
                "Runs, newest first, or by workflow id where a prefix is given",
                RunLookup.RunPageView.class);
        put(
                "POST /workflows",
                "Starts a workflow; 200 where the id has a run already",
                Map.of(200, RunView.class, 201, RunView.class),
                "type!=text",
                "id=text",
                "input=any",
                "startAt=instant",
                "startDelay=duration",
                "executionTimeout=duration",
                "memo=notes",
                "queue=text",
                "idReuse=text");
        put("GET /workflows/{id}", "A run with all there is to see", RunDetails.RunDetailView.class);
        put("GET /workflows/{id}/history", "The events of a run", page(HistoryApi.EventView.class));
        put("GET /workflows/{id}/export", "The history as a file that the test kit replays", JsonNode.class);
        put(
                "GET /workflows/{id}/result",
                "How a run has ended; waits for it if asked to",
                LifecycleApi.ResultView.class);
        put(
                "POST /workflows/{id}/signal",
                "Tells a workflow something",
                Map.of(202, AcceptedView.class),
                "name!=text",
                "arguments=array",
                "key=text");
        put(
                "POST /workflows/{id}/query",
                "Asks a run something that changes nothing",
                MessagesApi.AnswerView.class,
                "name!=text",
                "arguments=array");
        put(
                "POST /workflows/{id}/update",
                "Asks a workflow for something, and waits for the answer",
                MessagesApi.AnswerView.class,
                "name!=text",
                "arguments=array",
                "id=text",
                "wait=duration");
        put(
                "POST /workflows/{id}/timers/{name}/move",
                "Moves a named timer of a run",
                AcceptedView.class,
                "at=instant",
                "in=duration",
                "reason=text");
        put(
                "POST /workflows/{id}/waits/{call}/move",
                "Moves the end of whatever a run waits for; in PT0S ends it now",
                AcceptedView.class,
                "at=instant",
                "in=duration",
                "reason=text");
        put("POST /workflows/{id}/cancel", "Asks a run to end", Map.of(202, RunView.class), "reason=text");
        put("POST /workflows/{id}/terminate", "Ends a run at once", RunView.class, "reason=text");
        put("POST /workflows/{id}/retry", "Tries again what failed, or is stuck", RunView.class);
        put("POST /workflows/{id}/reset", "Goes on from an earlier event", RunView.class, "events!=number");
        put(
                "POST /workflows/batch",
                "One thing for many workflows: cancel, terminate, retry or signal",
                BatchApi.BatchView.class,
                "action!=text",
                "ids=texts",
                "reason=text",
                "name=text",
                "arguments=array",
                "key=text");
    }

    private void timers() {
        put(
                "GET /timers",
                "Timers without a workflow; with order=due all that is pending, by due time",
                new PageOf(List.of(TimersApi.TimerView.class, UpcomingPages.UpcomingView.class)));
        put("GET /timers/{id}", "A timer and its payload", TimersApi.TimerDetailView.class);
        put(
                "POST /timers",
                "Sets a timer; 200 where there was one of this id",
                Map.of(201, TimersApi.TimerView.class, 200, TimersApi.TimerView.class),
                "handler!=text",
                "at=instant",
                "in=duration",
                "payload=any",
                "id=text",
                "key=text");
        put(
                "POST /timers/{id}/move",
                "Lets a timer fire at another instant",
                TimersApi.TimerView.class,
                "at=instant",
                "in=duration");
        put("POST /timers/{id}/cancel", "Cancels a timer", TimersApi.TimerView.class);
        put("POST /timers/{id}/fire", "Lets a timer fire now", TimersApi.TimerView.class);
        put(
                "GET /sql-timers/failed",
                "Timers that were set in SQL and have failed lately",
                page(SqlTimersApi.SqlTimerView.class));
        put("GET /sql-timers/{id}", "A timer that was set in SQL", SqlTimersApi.SqlTimerView.class);
        put(
                "POST /sql-timers/{id}/move",
                "Lets a timer that was set in SQL fire at another instant",
                SqlTimersApi.SqlTimerView.class,
                "at=instant",
                "in=duration");
        put("POST /sql-timers/{id}/cancel", "Cancels a timer that was set in SQL", SqlTimersApi.SqlTimerView.class);
        put("POST /sql-timers/{id}/fire", "Lets a timer that was set in SQL fire now", SqlTimersApi.SqlTimerView.class);
    }

    private void schedules() {
        String[] withId = new String[SCHEDULE.length + 1];
        withId[0] = "id!=text";
        System.arraycopy(SCHEDULE, 0, withId, 1, SCHEDULE.length);
        put("GET /schedules", "All schedules", page(SchedulesApi.ScheduleView.class));
        put("GET /schedules/preview", "The next five instants of a timetable", SchedulesApi.PreviewView.class);
        put("GET /schedules/{id}", "A schedule", SchedulesApi.ScheduleView.class);
        put("POST /schedules", "Begins a schedule", Map.of(201, SchedulesApi.ScheduleView.class), withId);
        put("PUT /schedules/{id}", "Begins a schedule or replaces it", SchedulesApi.ScheduleView.class, SCHEDULE);
        put("DELETE /schedules/{id}", "Ends a schedule", SchedulesApi.ScheduleView.class);
        put(
                "POST /schedules/{id}/pause",
                "Lets it start nothing until it is resumed",
                SchedulesApi.ScheduleView.class,
                "note=text");
        put("POST /schedules/{id}/resume", "Lets it go on", SchedulesApi.ScheduleView.class);
        put("POST /schedules/{id}/trigger", "Starts a run now", SchedulesApi.ScheduleView.class);
        put(
                "POST /schedules/{id}/backfill",
                "Starts the runs of all instants from one to another",
                SchedulesApi.ScheduleView.class,
                "from!=instant",
                "to!=instant",
                "overlap=text");
    }

    private void others() {
        put(
                "POST /events",
                "Publishes an event",
                Map.of(202, AcceptedView.class),
                "name!=text",
                "payload=any",
                "key=text");
        put(
                "POST /activities/{token}/complete",
                "Completes an activity that was handed out",
                Map.of(202, AcceptedView.class),
                "result=any");
        put(
                "POST /activities/{token}/fail",
                "Fails an activity that was handed out",
                Map.of(202, AcceptedView.class),
                "message!=text");
        put("GET /dags", "The latest version of every DAG", page(DagsApi.DagView.class));
        put("GET /dags/{name}", "The definition of a DAG", JsonNode.class);
        put("POST /dags/validate", "Checks a definition", DagsApi.DagView.class, "*");
        put(
                "PUT /dags/{name}",
                "Stores a definition",
                Map.of(200, DagsApi.DagView.class, 201, DagsApi.DagView.class),
                "*");
        put("POST /dags/{name}/start", "Starts a DAG", Map.of(201, RunView.class), "id=text", "input=any");
        put("GET /workflows/{id}/dag", "A run of a DAG, with a picture", DagsApi.DagRunView.class);
        put("GET /approvals", "What a run of a DAG waits for a person to decide", page(DagsApi.ApprovalView.class));
        put("POST /approvals/{token}/approve", "Approves", AcceptedView.class, "by=text", "comment=text");
        put("POST /approvals/{token}/reject", "Rejects", AcceptedView.class, "by=text", "comment=text");
    }

    /** A page of items of several kinds. */
    record PageOf(List<Class<?>> items) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return items.toArray(new Type[0]);
        }

        @Override
        public Type getRawType() {
            return PageView.class;
        }

        @Override
        public Type getOwnerType() {
            return null;
        }
    }

    private static Type page(Class<?> item) {
        return new PageOf(List.of(item));
    }
}
