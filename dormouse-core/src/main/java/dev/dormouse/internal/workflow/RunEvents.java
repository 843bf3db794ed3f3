package dev.dormouse.internal.workflow;

import dev.dormouse.ActivityOptions;
import dev.dormouse.PublishedEvent;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.event.EventDesk;
import dev.dormouse.internal.event.EventForms;
import dev.dormouse.internal.event.EventMatch;
import dev.dormouse.internal.event.ReceivedEvent;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.WaitEnd;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.EventSignals;
import dev.dormouse.internal.value.Payloads;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events that a run waits for. Not thread-safe: belongs to the run's coroutines, which execute one at a time. */
final class RunEvents {

    private static final StepPolicy UNTIL_DONE = EngineOptions.policy(ActivityOptions.DEFAULT);
    private static final int ARGUMENTS = 4;
    private static final int MOST_USED = 1_000;

    private final Replay run;
    private final Payloads payloads;
    private final @Nullable EventDesk desk;
    private final Map<Integer, Wait> waits = new HashMap<>();
    private final Map<Integer, PublishedEvent> early = new HashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private int count;

    /** A wait, and the event that it received. */
    private static final class Wait {
        private final String event;
        private @Nullable PublishedEvent received;

        Wait(String event) {
            this.event = event;
        }
    }

    RunEvents(Replay run, Payloads payloads, @Nullable EventDesk desk) {
        this.run = run;
        this.payloads = payloads;
        this.desk = desk;
    }

    /**
     * Waits for an event.
     *
     * @param deadline the end of the wait; null for none
     */
    Optional<PublishedEvent> await(String event, EventMatch match, @Nullable Instant deadline) {
        run.checkMayAct("waitForEvent");
        int number = ++count;
        PublishedEvent given = early.remove(number);
        if (given != null && given.name().equals(event)) {
            return used(given); // this run continues from an earlier point of a run that received the event
        }
        Wait wait = new Wait(event);
        waits.put(number, wait);
        try {
            PublishedEvent before = subscribe(number, event, match, deadline);
            if (before == null) {
                run.await(OpenWait.Kind.EVENT, event, WaitEnd.of(() -> deadline), () -> wait.received != null);
            }
            return used(before == null ? wait.received : before);
        } catch (CancelledException cancelled) {
            unsubscribe(number, event, deadline);
            throw cancelled;
        } finally {
            waits.remove(number);
        }
    }

    private Optional<PublishedEvent> used(@Nullable PublishedEvent event) {
        if (event != null) {
            used(event.id());
        }
        return Optional.ofNullable(event);
    }

    private void used(String id) {
        used.add(id);
        if (used.size() > MOST_USED) {
            used.remove(used.iterator().next());
        }
    }

    /** Returns the id of a wait. It is unique, even among runs that share a history. */
    private String id(int number) {
        return run.run().runId() + "/" + number;
    }

    private @Nullable PublishedEvent subscribe(int number, String event, EventMatch match, @Nullable Instant deadline) {
        EventForms.Wanted wanted = new EventForms.Wanted(match.keys(), new HashSet<>(used));
        EventDesk.Wait wait =
                new EventDesk.Wait(run.run().workflowId(), id(number), event, wanted, run.now(), deadline);
        Payload found = run.step(
                        "wait for event '" + event + "'",
                        UNTIL_DONE,
                        false,
                        attempt -> EventForms.encode(desk().subscribe(wait)))
                .payload();
        EventForms.Kept kept = EventForms.event(found);
        return kept == null ? null : kept.open(event, payloads);
    }

    /**
     * Removes a wait from the store. A wait with a deadline is not removed, because the store discards it after the
     * deadline.
     */
    private void unsubscribe(int number, String event, @Nullable Instant deadline) {
        if (deadline == null) {
            String workflowId = run.run().workflowId();
            run.within(
                    run.newScope(true),
                    () -> run.step("forget event '" + event + "'", UNTIL_DONE, false, attempt -> {
                        desk().unsubscribe(workflowId, id(number));
                        return Payload.NOTHING;
                    }));
        }
    }

    private EventDesk desk() {
        return Objects.requireNonNull(desk);
    }

    /**
     * Handles a reserved signal: an event, or the ids of the events that the previous run received. Ignores an event if
     * no wait matches any more; keeps it if the wait is still to come; drops a malformed signal.
     */
    void received(Message.Signal signal) {
        try {
            if (signal.name().equals(EventSignals.USED)) {
                EventForms.texts(signal.arguments().get(0)).forEach(id -> used(String.valueOf(id)));
            } else if (signal.arguments().size() == ARGUMENTS) {
                deliver(signal.arguments());
            }
        } catch (DormouseException | IndexOutOfBoundsException | NumberFormatException notOurs) {
            // a signal from other code under a reserved name
        }
    }

    private void deliver(List<Payload> arguments) {
        String waitId = EventForms.text(arguments.get(0));
        int number = Integer.parseInt(waitId.substring(waitId.lastIndexOf('/') + 1));
        PublishedEvent event = new ReceivedEvent(
                EventForms.text(arguments.get(1)), EventForms.text(arguments.get(2)), arguments.get(3), payloads);
        Wait wait = waits.get(number);
        if (wait != null && wait.event.equals(event.name()) && wait.received == null) {
            wait.received = event;
        } else if (number > count) {
            early.putIfAbsent(number, event);
        }
    }

    /** Returns the signals for the run that this run continues as; empty if there is nothing to pass on. */
    List<Message.Signal> forNext() {
        return used.isEmpty()
                ? List.of()
                : List.of(new Message.Signal(EventSignals.USED, List.of(EventForms.texts(List.copyOf(used)))));
    }
}
