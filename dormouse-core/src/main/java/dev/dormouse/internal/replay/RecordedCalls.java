package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.CodeMismatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The recorded events of a run, with the position of the replay, and the check that the code repeats what it did.
 *
 * <p>Three kinds of events are not part of the sequence that the code must repeat: versions are looked up by name, a mark
 * is skipped if the code repeats it, and takeovers are ignored.
 */
final class RecordedCalls {
    private final Event.RunStarted started;
    private final List<Event> prelude = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<Integer, Event> firstOfCall = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();
    private final ArrayDeque<Event.Marked> marks = new ArrayDeque<>();
    private boolean began;
    private int position;

    RecordedCalls(List<Event> history) {
        started = (Event.RunStarted) history.get(0);
        for (Event event : history.subList(1, history.size())) {
            if (event instanceof Event.VersionMarked marked) {
                versions.putIfAbsent(marked.change(), marked.version());
            } else if (event instanceof Event.Marked mark) {
                marks.add(mark);
            } else if (!(event instanceof Event.TakenOver)) {
                events.add(event);
                noteCall(event);
            }
            if (event instanceof Event.RunBegan) {
                began = true;
                prelude.addAll(events);
                events.clear();
            }
        }
    }

    private void noteCall(Event event) {
        if (event instanceof Event.StepCompleted e) {
            firstOfCall.putIfAbsent(e.call(), e);
        } else if (event instanceof Event.StepFailed e) {
            firstOfCall.putIfAbsent(e.call(), e);
        } else if (event instanceof Event.StepPostponed e) {
            firstOfCall.putIfAbsent(e.call(), e);
        } else if (event instanceof Event.StepHandedOut e) {
            firstOfCall.putIfAbsent(e.call(), e);
        } else if (event instanceof Event.TimerScheduled e) {
            firstOfCall.putIfAbsent(e.call(), e);
        } else if (event instanceof Event.WaitTimedOut e) {
            firstOfCall.putIfAbsent(e.call(), e);
        } else if (event instanceof Event.ChildRequested e) {
            firstOfCall.putIfAbsent(e.call(), e);
        }
    }

    Event.RunStarted started() {
        return started;
    }

    /** Returns the events to be applied before the first line of the code runs. */
    List<Event> prelude() {
        return prelude;
    }

    /** Returns true if the first line of the code may have run. */
    boolean hasBegun() {
        return began || started.startAt() == null;
    }

    boolean hasNext() {
        return position < events.size();
    }

    Event peek() {
        return events.get(position);
    }

    /**
     * Returns the next event, which must be an input.
     *
     * @param instead describes what the code does, for the mismatch if the event is a command
     */
    Event nextInput(Supplier<String> instead) {
        Event event = events.get(position);
        if (event.isCommand()) {
            throw mismatch(event, instead.get());
        }
        position++;
        return event;
    }

    /** Returns the next event, which must be the command that the code requests again. */
    <T extends Event> T nextCommand(Class<T> kind, Predicate<T> matches, String what) {
        Event event = events.get(position);
        if (kind.isInstance(event) && matches.test(kind.cast(event))) {
            position++;
            return kind.cast(event);
        }
        throw mismatch(event, "the code " + what + " at " + SourceLine.ofCaller());
    }

    /** Skips the next event. */
    void skip() {
        position++;
    }

    /** Returns the first recorded event of a call; null if there is none. */
    @Nullable
    Event firstOf(int call) {
        return firstOfCall.get(call);
    }

    /** Checks that a call matches the recorded call with its number, if there is one. */
    void checkCall(int call, String what, Predicate<Event> matches) {
        Event event = firstOfCall.get(call);
        if (event != null && !matches.test(event)) {
            throw mismatch(event, "the code calls " + what + " at " + SourceLine.ofCaller());
        }
    }

    /** Skips the next recorded mark if it is this one. Returns true if it was. */
    boolean passMark(String name, String text) {
        Event.Marked next = marks.peek();
        boolean same = next != null && next.name().equals(name) && next.text().equals(text);
        if (same) {
            marks.remove();
        }
        return same;
    }

    @Nullable
    Integer version(String change) {
        return versions.get(change);
    }

    void remember(String change, int version) {
        versions.put(change, version);
    }

    CodeMismatch mismatch(Event event, String instead) {
        return new CodeMismatch("Expected the workflow '" + started.type() + "' to repeat the recorded event, "
                + event.summary() + ", but " + instead
                + ". Deploy code that matches, or guard the change with Workflow.version().");
    }

    static boolean isStep(Event event, String name) {
        return event instanceof Event.StepCompleted done && done.name().equals(name)
                || event instanceof Event.StepFailed failed && failed.name().equals(name)
                || event instanceof Event.StepPostponed later && later.name().equals(name)
                || event instanceof Event.StepHandedOut out && out.name().equals(name);
    }

    static boolean isChild(Event event, String workflowId, String type) {
        return event instanceof Event.ChildRequested asked
                && asked.workflowId().equals(workflowId)
                && asked.type().equals(type);
    }
}
