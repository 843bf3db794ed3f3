package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.NodeProfile;
import dev.dormouse.RunDescription;
import dev.dormouse.WaitDescription;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.engine.Families;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Origin;
import dev.dormouse.server.secret.Hidden;
import dev.dormouse.server.timeline.TimelineWriter;
import dev.dormouse.server.view.RunDetailView;
import dev.dormouse.server.view.RunDetailView.Relative;
import dev.dormouse.server.view.RunDetailView.Sibling;
import dev.dormouse.server.view.RunView;
import dev.dormouse.server.view.Value;
import dev.dormouse.server.view.WaitView;
import dev.dormouse.store.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Puts together what is known of one run. */
final class Details {
    private static final int MOST_CHILDREN = 50;
    private static final int SIBLINGS = 10;
    private static final NodeProfile.Methods NONE =
            new NodeProfile.Methods(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());

    private final Dormouse dormouse;
    private final Runs runs;
    private final Waiting waiting = new Waiting();

    Details(Dormouse dormouse, Runs runs) {
        this.dormouse = dormouse;
        this.runs = runs;
    }

    RunDetailView of(WorkflowHandle<JsonNode> handle) {
        List<Event> events = events(handle);
        RunDescription run = events.isEmpty() ? handle.glance() : handle.describe();
        Optional<Event.RunStarted> started = events.stream().findFirst().map(Event.RunStarted.class::cast);
        Outcome outcome = events.isEmpty() ? Outcome.UNKNOWN : Outcome.of(events.get(events.size() - 1));
        NodeProfile.Methods methods = methods(run.type());
        List<WaitDescription> waits = run.status().isClosed() ? List.of() : waiting.of(handle);
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
                children(events),
                started.flatMap(first -> Optional.ofNullable(first.origin().parent()))
                        .map(this::parent),
                siblings(handle.workflowId()),
                TimelineWriter.of(run, events, waits == null ? List.of() : waits, dormouse.now()),
                methods.queries(),
                methods.signals(),
                methods.updates());
    }

    /** None where they are damaged, or written by a newer Dormouse: what the run's row tells is shown all the same. */
    private static List<Event> events(WorkflowHandle<JsonNode> handle) {
        try {
            return Hidden.in(handle.events());
        } catch (DormouseException unreadable) {
            if (unreadable.code() == ErrorCode.HISTORY_DAMAGED || unreadable.code() == ErrorCode.HISTORY_TOO_NEW) {
                return List.of();
            }
            throw unreadable;
        }
    }

    private NodeProfile.Methods methods(String type) {
        NodeProfile.Methods methods = Families.find(dormouse.profile().workflows(), type);
        return methods == null ? NONE : methods;
    }

    private List<Sibling> siblings(String workflowId) {
        return runs.ofId(workflowId, SIBLINGS).stream()
                .map(run -> new Sibling(run.runId(), run.status(), run.startedAt()))
                .toList();
    }

    private List<Relative> children(List<Event> events) {
        List<Relative> children = new ArrayList<>();
        for (int i = events.size() - 1; i >= 0 && children.size() < MOST_CHILDREN; i--) {
            if (events.get(i) instanceof Event.ChildRequested child) {
                children.add(
                        0,
                        new Relative(
                                child.workflowId(),
                                child.runId(),
                                Optional.of(child.type()),
                                describe(child.workflowId(), child.runId()).map(RunDescription::status)));
            }
        }
        return children;
    }

    private Relative parent(Origin.Parent parent) {
        Optional<RunDescription> run = describe(parent.workflowId(), parent.runId());
        Optional<RunStatus> status = run.map(RunDescription::status);
        return new Relative(parent.workflowId(), parent.runId(), run.map(RunDescription::type), status);
    }

    /** Where it stands; it may not be started yet, or purged. */
    private Optional<RunDescription> describe(String workflowId, UUID runId) {
        try {
            return dormouse.find(workflowId, runId, JsonNode.class).map(WorkflowHandle::glance);
        } catch (DormouseException gone) {
            return Optional.empty();
        }
    }
}
