package dev.dormouse.internal.schedule;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Durability;
import dev.dormouse.IdReuse;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.CallGuard;
import dev.dormouse.internal.client.ListCursor;
import dev.dormouse.internal.client.RunCalls;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.schedule.ScheduleInfo;
import dev.dormouse.schedule.ScheduleList;
import dev.dormouse.schedule.Schedules;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Shards;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schedules of a node. Each schedule is a run of a workflow that every node has. Thread-safe. */
public final class NodeSchedules implements Schedules {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSchedules.class);
    private static final String MARK = RunKind.SCHEDULE.mark();
    private static final String TYPE = MARK + "schedule";
    private static final String CHANGE = "a method of Schedules";
    private static final int PAGE = 100;
    private static final int NEXT = 5;
    private static final int MOST_BACKFILLED = 1_000;
    private static final Set<RunStatus> OPEN = openStatuses();

    private final Node node;
    private final Payloads payloads;
    private final ActivityOptions options;
    private final int shards;

    /**
     * Creates the API for schedules.
     *
     * @param payloads the codec for values from users
     * @param options the default options of timers
     */
    public NodeSchedules(Node node, Payloads payloads, ActivityOptions options, int shards) {
        this.node = node;
        this.payloads = payloads;
        this.options = options;
        this.shards = shards;
    }

    private static Set<RunStatus> openStatuses() {
        Set<RunStatus> open = EnumSet.allOf(RunStatus.class);
        open.removeIf(RunStatus::isClosed);
        return open;
    }

    /** Returns the workflow that implements a schedule. */
    public static WorkflowDefinition workflow(Store store) {
        return WorkflowDefinition.named(
                TYPE,
                ScheduleWorkflow.class,
                () -> new ScheduleRun(id -> isOpen(store, id), Payloads.OWN),
                Durability.STRICT);
    }

    private static boolean isOpen(Store store, String workflowId) {
        return store.current(Shards.of(workflowId, store.shards()), workflowId)
                .filter(row -> isOpen(row.status()))
                .isPresent();
    }

    /**
     * Returns true if a status counts as open. A run that has continued as new counts as open, because its successor
     * starts in a moment.
     */
    private static boolean isOpen(RunStatus status) {
        return !status.isClosed() || status == RunStatus.CONTINUED;
    }

    // ---- changes

    @Override
    public void create(String id, Schedule schedule) {
        if (!start(id, spec(id, schedule))) {
            throw new DormouseException(
                    ErrorCode.WORKFLOW_ID_TAKEN,
                    "Expected schedule '" + id + "' to be new, but it exists. Use put(…) or update(…) to replace it.");
        }
    }

    @Override
    public void put(String id, Schedule schedule) {
        ScheduleSpec spec = spec(id, schedule);
        while (!start(id, spec)) {
            try {
                send(id, "replace", spec);
                return;
            } catch (DormouseException gone) {
                if (gone.code() != ErrorCode.SCHEDULE_NOT_FOUND) {
                    throw gone; // otherwise the schedule was deleted in the meantime
                }
            }
        }
    }

    private ScheduleSpec spec(String id, Schedule schedule) {
        CallGuard.changes(CHANGE);
        return ScheduleSpec.of(checked(id), required(schedule, "a schedule"), payloads, options);
    }

    private boolean start(String id, ScheduleSpec spec) {
        StartedRun started = node.start(new NewRun(
                workflowId(id),
                TYPE,
                List.of(Payloads.OWN.encode(ScheduleState.of(spec, node.now()))),
                null,
                null,
                null,
                Map.of(),
                Origin.NONE,
                EngineOptions.replaces(IdReuse.START_NEW)));
        return started.isNew();
    }

    @Override
    public void update(String id, Schedule schedule) {
        send(id, "replace", spec(id, schedule));
    }

    @Override
    public void pause(String id, String note) {
        send(id, "pause", required(note, "a note, or \"\""));
    }

    @Override
    public void resume(String id) {
        send(id, "resume");
    }

    @Override
    public void trigger(String id) {
        send(id, "trigger");
    }

    @Override
    public void backfill(String id, Instant from, Instant to, Overlap overlap) {
        CallGuard.changes(CHANGE);
        required(from, "a first instant");
        required(to, "a last instant");
        required(overlap, "an overlap");
        ScheduleInfo schedule = get(id).orElseThrow(() -> notFound(id));
        send(id, "backfill", instants(schedule.timetable(), from, to), overlap);
    }

    private static List<Instant> instants(Timetable timetable, Instant from, Instant to) {
        List<Instant> instants = new ArrayList<>();
        Optional<Instant> next = timetable.next(from.minusNanos(1));
        while (next.isPresent() && !next.get().isAfter(to)) {
            instants.add(next.get());
            if (instants.size() > MOST_BACKFILLED) {
                throw new DormouseException(
                        ErrorCode.BAD_SCHEDULE,
                        "Expected at most " + MOST_BACKFILLED + " instants from " + from + " to " + to
                                + ", but there are more. Split the range.");
            }
            next = timetable.next(next.get());
        }
        return instants;
    }

    @Override
    public void delete(String id) {
        send(id, "delete");
    }

    private void send(String id, String change, @Nullable Object... arguments) {
        CallGuard.changes(CHANGE);
        String workflowId = workflowId(checked(id));
        Message.Update update = new Message.Update(change, Payloads.OWN.encodeAll(arguments));
        try {
            Event.UpdateAnswered answer =
                    node.update(workflowId, UUID.randomUUID().toString(), update, RunCalls.UPDATE_TIME);
            if (answer.failure() != null && !change.equals("delete")) {
                throw RunCalls.failed(Payloads.OWN, workflowId, change, answer, answer.failure());
            }
        } catch (DormouseException refused) {
            boolean isGone = refused.code() == ErrorCode.RUN_CLOSED || refused.code() == ErrorCode.RUN_NOT_FOUND;
            throw isGone ? notFound(id) : refused;
        }
    }

    private static DormouseException notFound(String id) {
        return new DormouseException(
                ErrorCode.SCHEDULE_NOT_FOUND,
                "Expected a schedule '" + id + "', but there is none. Create it first, or check the id.");
    }

    private static String checked(String id) {
        Ids.checkName(id);
        return id;
    }

    private static String workflowId(String id) {
        return MARK + id;
    }

    // ---- reads

    @Override
    public Optional<ScheduleInfo> get(String id) {
        CallGuard.reads("Schedules.get");
        return node.current(workflowId(checked(id)))
                .filter(row -> row.type().equals(TYPE) && isOpen(row.status()))
                .map(this::describe);
    }

    private ScheduleInfo describe(RunRow row) {
        Payload state = node.query(row.workflowId(), row.runId(), "state", List.of(), RunCalls.QUERY_TIME);
        ScheduleState found = (ScheduleState) required(Payloads.OWN.decode(state, ScheduleState.class), "a state");
        return describe(row.workflowId().substring(MARK.length()), found);
    }

    @Override
    public ScheduleList list(Optional<String> page) {
        CallGuard.reads("Schedules.list");
        ListCursor cursor = ListCursor.of(required(page, "a page, or Optional.empty()"), shards);
        RunPage found = node.list(cursor.shard(), new RunFilter(MARK, TYPE, OPEN), cursor.inShard(), PAGE);
        List<ScheduleInfo> schedules = new ArrayList<>();
        for (RunRow row : found.runs()) {
            try {
                schedules.add(describe(row));
            } catch (DormouseException notHere) {
                LOG.warn("This node cannot describe schedule {}; it is missing in the list", row.workflowId(), notHere);
            }
        }
        return new ScheduleList(schedules, cursor.next(found.next(), shards));
    }

    private static ScheduleInfo describe(String id, ScheduleState state) {
        ScheduleSpec spec = state.spec();
        Timetable timetable = spec.timetable();
        boolean isTimer = TimerTypes.isTimer(spec.type());
        List<ScheduleInfo.Past> past = new ArrayList<>();
        state.past().forEach(one -> past.add(0, one));
        return new ScheduleInfo(
                id,
                timetable,
                isTimer ? TimerTypes.handler(spec.type()) : spec.type(),
                spec.overlap(),
                spec.catchUp(),
                state.paused(),
                state.note(),
                state.paused() ? List.of() : next(spec, timetable, state.last()),
                past);
    }

    private static List<Instant> next(ScheduleSpec spec, Timetable timetable, Instant after) {
        List<Instant> next = new ArrayList<>();
        Optional<Instant> one = timetable.next(after);
        while (one.isPresent() && next.size() < NEXT) {
            next.add(spec.startOf(one.get(), timetable));
            one = timetable.next(one.get());
        }
        return next;
    }
}
