package dev.dormouse.internal.client;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.HistoryEvent;
import dev.dormouse.inspect.NodeProfile;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.OpenStep;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.internal.workflow.WorkflowMethods;
import dev.dormouse.store.run.RunRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Conversions of rows, events and registered code into the descriptions that users read. */
public final class Descriptions {
    private Descriptions() {}

    public static RunDescription run(RunRow row, Map<String, String> memo, List<StepDescription> steps) {
        return run(row, row.nextSeq(), row.trouble(), memo, steps);
    }

    static RunDescription run(
            RunRow row, int historyLength, String trouble, Map<String, String> memo, List<StepDescription> steps) {
        return new RunDescription(
                row.workflowId(),
                row.runId(),
                row.type(),
                row.status(),
                row.owner(),
                Optional.ofNullable(row.wakeAt()),
                row.wakeReason(),
                trouble,
                historyLength,
                row.createdAt(),
                Optional.ofNullable(row.closedAt()),
                row.takeovers(),
                memo,
                steps);
    }

    static StepDescription step(OpenStep step, Payloads payloads) {
        return new StepDescription(
                step.name(),
                step.attempt(),
                Optional.ofNullable(step.nextAt()),
                Optional.ofNullable(step.failure()).map(payloads::open).map(failure -> failure + bug(step)),
                Optional.of(step.pause()).filter(name -> !name.isEmpty()),
                step.handedOut(),
                progress(step, payloads));
    }

    /** Returns a note for a step that fails with the same programming error again and again; empty for others. */
    static String bug(OpenStep step) {
        return step.looksLikeABug() ? " (looks like a bug: " + step.repeats() + " equal failures in a row)" : "";
    }

    private static Optional<String> progress(OpenStep step, Payloads payloads) {
        if (step.details() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(String.valueOf(payloads.decode(step.details(), Object.class)));
        } catch (DormouseException notReadable) {
            return Optional.of(step.details().bytes().length + " bytes");
        }
    }

    /** Returns true if the run waits for its delayed start. */
    static boolean isDelayed(RunRow row) {
        return row.status() == RunStatus.PENDING && row.wakeReason() == WakeReason.START && row.nextSeq() == 1;
    }

    static WaitDescription delayedStart(RunRow row) {
        return new WaitDescription(
                WaitDescription.BEGINNING,
                WaitDescription.Kind.START,
                "",
                row.createdAt(),
                Optional.ofNullable(row.wakeAt()),
                true,
                "");
    }

    /** Converts stored events to the form that {@link WorkflowHandle#history} returns. */
    public static List<HistoryEvent> history(List<Event> events) {
        List<HistoryEvent> list = new ArrayList<>(events.size());
        for (Event event : events) {
            list.add(new HistoryEvent(list.size(), event.at(), kind(event), event.summary()));
        }
        return list;
    }

    private static String kind(Event event) {
        return event instanceof Event.Marked mark
                ? mark.name()
                : event.getClass().getSimpleName();
    }

    public static NodeProfile node(StoreProfile store, Collection<WorkflowDefinition> workflows, Set<String> handlers) {
        SortedMap<String, NodeProfile.Methods> methods = new TreeMap<>();
        workflows.forEach(workflow -> methods.put(workflow.name(), methods(workflow.methods())));
        return new NodeProfile(store, methods, new TreeSet<>(handlers));
    }

    static NodeProfile.Methods methods(WorkflowMethods methods) {
        return new NodeProfile.Methods(
                new TreeSet<>(methods.signals().keySet()),
                new TreeSet<>(methods.queries().keySet()),
                new TreeSet<>(methods.updates().keySet()));
    }
}
