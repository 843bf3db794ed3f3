package dev.dormouse.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.client.RunSnapshot;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.server.timeline.Timeline;
import dev.dormouse.server.timeline.TimelineWriter;
import dev.dormouse.server.view.FailureView;
import dev.dormouse.server.view.RunView;
import dev.dormouse.server.view.TokenRedactor;
import dev.dormouse.server.view.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The page of one run. The run's row, history and progress are read once, and the rows of its parent and children
 * together: about six statements, however many children it has. Thread-safe.
 */
final class RunDetails {
    private static final int MAX_CHILDREN = 50;
    private static final int MAX_SIBLINGS = 10;
    private static final NodeProfile.Methods NO_METHODS =
            new NodeProfile.Methods(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());

    private final Dormouse dormouse;
    private final RunLookup runs;
    private final WaitQueries waitQueries;

    /** @param waitsWithin the longest time to wait for a node to report the waits of a run */
    RunDetails(Dormouse dormouse, RunLookup runs, Duration waitsWithin) {
        this.dormouse = dormouse;
        this.runs = runs;
        this.waitQueries = new WaitQueries(waitsWithin);
    }

    /** Returns all that is known of a run. If its history cannot be read, only its row is shown. */
    RunDetailView of(WorkflowHandle<?> handle) {
        RunSnapshot snapshot = RunAccess.of(handle).snapshot();
        RunDescription run = snapshot.run();
        List<Event> events = TokenRedactor.redact(snapshot.events());
        Optional<Event.RunStarted> started = events.stream().findFirst().map(Event.RunStarted.class::cast);
        Optional<Origin.Parent> parent =
                started.flatMap(first -> Optional.ofNullable(first.origin().parent()));
        List<Event.ChildRequested> children = children(events);
        Map<UUID, RunDescription> relatives = relatives(parent, children);
        RunOutcome outcome = events.isEmpty() ? RunOutcome.UNKNOWN : RunOutcome.of(events.get(events.size() - 1));
        NodeProfile.Methods methods = snapshot.methods().orElse(NO_METHODS);
        List<WaitDescription> waits = run.status().isClosed() ? List.of() : waitQueries.of(snapshot);
        return new RunDetailView(
                RunView.of(run),
                run.memo(),
                started.stream()
                        .flatMap(first -> first.input().stream())
                        .map(Value::of)
                        .toList(),
                outcome.result(),
                outcome.failure(),
                run.steps(),
                waits == null ? null : waits.stream().map(WaitView::of).toList(),
                children.stream().map(child -> child(child, relatives)).toList(),
                parent.map(found -> parent(found, relatives)),
                siblings(handle.workflowId()),
                TimelineWriter.of(run, events, waits == null ? List.of() : waits, dormouse.now()),
                methods.queries(),
                methods.signals(),
                methods.updates());
    }

    /** Returns the latest children, in the order in which they were requested. */
    private static List<Event.ChildRequested> children(List<Event> events) {
        List<Event.ChildRequested> children = new ArrayList<>();
        for (int i = events.size() - 1; i >= 0 && children.size() < MAX_CHILDREN; i--) {
            if (events.get(i) instanceof Event.ChildRequested child) {
                children.add(child);
            }
        }
        Collections.reverse(children);
        return children;
    }

    /** Reads parent and children together. Runs that are not started yet, or purged, are left out. */
    private Map<UUID, RunDescription> relatives(Optional<Origin.Parent> parent, List<Event.ChildRequested> children) {
        Map<UUID, String> workflowIds = new HashMap<>();
        parent.ifPresent(found -> workflowIds.put(found.runId(), found.workflowId()));
        children.forEach(child -> workflowIds.put(child.runId(), child.workflowId()));
        return workflowIds.isEmpty() ? Map.of() : dormouse.statistics().runs(workflowIds);
    }

    private static RunDetailView.Relative child(Event.ChildRequested child, Map<UUID, RunDescription> relatives) {
        Optional<RunStatus> status =
                Optional.ofNullable(relatives.get(child.runId())).map(RunDescription::status);
        return new RunDetailView.Relative(child.workflowId(), child.runId(), Optional.of(child.type()), status);
    }

    private static RunDetailView.Relative parent(Origin.Parent parent, Map<UUID, RunDescription> relatives) {
        Optional<RunDescription> run = Optional.ofNullable(relatives.get(parent.runId()));
        return new RunDetailView.Relative(
                parent.workflowId(), parent.runId(), run.map(RunDescription::type), run.map(RunDescription::status));
    }

    private List<RunDetailView.Sibling> siblings(String workflowId) {
        return runs.ofId(workflowId, MAX_SIBLINGS).stream()
                .map(run -> new RunDetailView.Sibling(run.runId(), run.status(), run.startedAt()))
                .toList();
    }

    /**
     * A run with its history, relatives and timeline.
     *
     * @param steps those that were tried and have not ended
     * @param waits the current waits of its code; null if no live node could answer
     * @param runs the latest runs of its workflow id
     * @param signals the names that its type has, if it is registered here
     */
    record RunDetailView(
            @JsonUnwrapped RunView run,
            Map<String, String> memo,
            List<Value> input,
            Optional<Value> result,
            Optional<FailureView> failure,
            List<StepDescription> steps,
            @Nullable List<WaitView> waits,
            List<Relative> children,
            Optional<Relative> parent,
            List<Sibling> runs,
            Timeline timeline,
            Set<String> queries,
            Set<String> signals,
            Set<String> updates) {

        /**
         * A parent or a child.
         *
         * @param status null if it is not known
         */
        record Relative(String workflowId, UUID runId, Optional<String> type, Optional<RunStatus> status) {}

        /** A run of the same workflow id. */
        record Sibling(UUID runId, RunStatus status, Instant startedAt) {}
    }

    /**
     * Something that a run's code waits for.
     *
     * @param call its number in the run
     * @param at the line of code
     */
    record WaitView(
            int call, String kind, String name, Instant since, Optional<Instant> until, boolean canMove, String at) {

        static WaitView of(WaitDescription wait) {
            return new WaitView(
                    wait.call(), kind(wait), wait.name(), wait.since(), wait.until(), wait.canMove(), wait.at());
        }

        private static String kind(WaitDescription wait) {
            return switch (wait.kind()) {
                case CONDITION -> "await";
                case STEP -> wait.until().isPresent() ? "retry" : "step";
                default -> wait.kind().name().toLowerCase(Locale.ROOT);
            };
        }
    }
}
