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
        put("GET /info", "Information about the server and the caller", InfoApi.InfoView.class);
        put("GET /errors/{code}", "Explains an error code", InfoApi.ErrorCodeView.class);
        put("GET /overview", "Totals of the whole store", OverviewApi.OverviewView.class);
        put(
                "GET /throughput",
                "Recent throughput in slots of equal length; span is 15m, 1h or 24h",
                OverviewApi.ThroughputView.class);
        put("GET /nodes", "Living nodes, and nodes that died within the last hour", page(OverviewApi.NodeView.class));
        put(
                "GET /timers/histogram",
                "Number of due alarms in 60 buckets; span is hour, day, week or all",
                OverviewApi.HistogramView.class);
    }

    private void runs() {
        put("GET /workflows", "Runs, newest first; by workflow id if a prefix is given", RunLookup.RunPageView.class);
        put(
                "POST /workflows",
                "Starts a workflow; 200 if the id already has a run",
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
        put(
                "GET /workflows/{id}",
                "A run with its steps, waits, relatives and timeline",
                RunDetails.RunDetailView.class);
        put("GET /workflows/{id}/history", "The events of a run", page(HistoryApi.EventView.class));
        put("GET /workflows/{id}/export", "The history as a file that can be replayed in tests", JsonNode.class);
        put(
                "GET /workflows/{id}/result",
                "The result or failure of a run; waits for it if asked to",
                LifecycleApi.ResultView.class);
        put(
                "POST /workflows/{id}/signal",
                "Sends a signal",
                Map.of(202, AcceptedView.class),
                "name!=text",
                "arguments=array",
                "key=text");
        put(
                "POST /workflows/{id}/query",
                "Sends a query",
                MessagesApi.AnswerView.class,
                "name!=text",
                "arguments=array");
        put(
                "POST /workflows/{id}/update",
                "Sends an update and waits for its answer",
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
                "Moves the end of a wait; PT0S ends it now",
                AcceptedView.class,
                "at=instant",
                "in=duration",
                "reason=text");
        put(
                "POST /workflows/{id}/cancel",
                "Requests the cancellation of a run",
                Map.of(202, RunView.class),
                "reason=text");
        put("POST /workflows/{id}/terminate", "Terminates a run at once", RunView.class, "reason=text");
        put("POST /workflows/{id}/retry", "Retries a run that has failed or is stuck", RunView.class);
        put("POST /workflows/{id}/reset", "Continues a run from an earlier event", RunView.class, "events!=number");
        put(
                "POST /workflows/batch",
                "Applies one action to many workflows: cancel, terminate, retry or signal",
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
                "Timers without a workflow; with order=due everything that is pending, by due time",
                new PageOf(List.of(TimersApi.TimerView.class, UpcomingPages.UpcomingView.class)));
        put("GET /timers/{id}", "A timer and its payload", TimersApi.TimerDetailView.class);
        put(
                "POST /timers",
                "Sets a timer; 200 if the id already had one",
                Map.of(201, TimersApi.TimerView.class, 200, TimersApi.TimerView.class),
                "handler!=text",
                "at=instant",
                "in=duration",
                "payload=any",
                "id=text",
                "key=text");
        put(
                "POST /timers/{id}/move",
                "Moves a timer to another instant",
                TimersApi.TimerView.class,
                "at=instant",
                "in=duration");
        put("POST /timers/{id}/cancel", "Cancels a timer", TimersApi.TimerView.class);
        put("POST /timers/{id}/fire", "Fires a timer now", TimersApi.TimerView.class);
        put(
                "GET /sql-timers/failed",
                "Timers that were set in SQL and have failed recently",
                page(SqlTimersApi.SqlTimerView.class));
        put("GET /sql-timers/{id}", "A timer that was set in SQL", SqlTimersApi.SqlTimerView.class);
        put(
                "POST /sql-timers/{id}/move",
                "Moves a timer that was set in SQL to another instant",
                SqlTimersApi.SqlTimerView.class,
                "at=instant",
                "in=duration");
        put("POST /sql-timers/{id}/cancel", "Cancels a timer that was set in SQL", SqlTimersApi.SqlTimerView.class);
        put("POST /sql-timers/{id}/fire", "Fires a timer that was set in SQL now", SqlTimersApi.SqlTimerView.class);
    }

    private void schedules() {
        String[] withId = new String[SCHEDULE.length + 1];
        withId[0] = "id!=text";
        System.arraycopy(SCHEDULE, 0, withId, 1, SCHEDULE.length);
        put("GET /schedules", "All schedules", page(SchedulesApi.ScheduleView.class));
        put("GET /schedules/preview", "The next five instants of a timetable", SchedulesApi.PreviewView.class);
        put("GET /schedules/{id}", "A schedule", SchedulesApi.ScheduleView.class);
        put("POST /schedules", "Creates a schedule", Map.of(201, SchedulesApi.ScheduleView.class), withId);
        put("PUT /schedules/{id}", "Creates or replaces a schedule", SchedulesApi.ScheduleView.class, SCHEDULE);
        put("DELETE /schedules/{id}", "Deletes a schedule", SchedulesApi.ScheduleView.class);
        put(
                "POST /schedules/{id}/pause",
                "Pauses a schedule until it is resumed",
                SchedulesApi.ScheduleView.class,
                "note=text");
        put("POST /schedules/{id}/resume", "Resumes a schedule", SchedulesApi.ScheduleView.class);
        put("POST /schedules/{id}/trigger", "Starts the scheduled run or timer now", SchedulesApi.ScheduleView.class);
        put(
                "POST /schedules/{id}/backfill",
                "Starts the runs of all instants in a period",
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
        put("POST /dags/validate", "Validates a definition", DagsApi.DagView.class, "*");
        put(
                "PUT /dags/{name}",
                "Stores a definition",
                Map.of(200, DagsApi.DagView.class, 201, DagsApi.DagView.class),
                "*");
        put("POST /dags/{name}/start", "Starts a DAG", Map.of(201, RunView.class), "id=text", "input=any");
        put("GET /workflows/{id}/dag", "A DAG run, with a flowchart", DagsApi.DagRunView.class);
        put("GET /approvals", "Approvals that a DAG run waits for", page(DagsApi.ApprovalView.class));
        put("POST /approvals/{token}/approve", "Approves a step", AcceptedView.class, "by=text", "comment=text");
        put("POST /approvals/{token}/reject", "Rejects a step", AcceptedView.class, "by=text", "comment=text");
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
