package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.StepPolicy;
import dev.dormouse.error.CanceledFailure;
import dev.dormouse.error.DormouseException;
import dev.dormouse.history.Message;
import dev.dormouse.replay.OpenWait;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.WaitEnd;
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

/** The events that a run waits for. Belongs to the run's coroutines. */
final class RunEvents {
    /** The signal by which a run that continues tells the next which events it has had. */
    static final String USED = "dormouse.event.used";

    private static final StepPolicy UNTIL_DONE = ActivityOptions.DEFAULT.policy();
    private static final int ARGUMENTS = 4;
    private static final int MOST_USED = 1_000;

    private final Replay run;
    private final Payloads payloads;
    private final @Nullable EventDesk desk;
    private final Map<Integer, Wait> waits = new HashMap<>();
    private final Map<Integer, PublishedEvent> early = new HashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private int count;

    /** A wait, and what it has come to. */
    private static final class Wait {
        private final String event;
        private @Nullable PublishedEvent come;

        Wait(String event) {
            this.event = event;
        }
    }

    RunEvents(Replay run, Payloads payloads, @Nullable EventDesk desk) {
        this.run = run;
        this.payloads = payloads;
        this.desk = desk;
    }

    /** @param deadline when to give up, null for never */
    Optional<PublishedEvent> await(String event, EventMatch match, @Nullable Instant deadline) {
        run.checkMayAct("waitForEvent");
        int number = ++count;
        PublishedEvent given = early.remove(number);
        if (given != null && given.name().equals(event)) {
            return used(given); // this run goes on from an earlier point of one that had it
        }
        Wait wait = new Wait(event);
        waits.put(number, wait);
        try {
            PublishedEvent before = subscribe(number, event, match, deadline);
            if (before == null) {
                run.await(OpenWait.Kind.EVENT, event, WaitEnd.of(() -> deadline), () -> wait.come != null);
            }
            return used(before == null ? wait.come : before);
        } catch (CanceledFailure canceled) {
            unsubscribe(number, event, deadline);
            throw canceled;
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

    /** No other run has it, not even one that shares this one's history. */
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

    /** One that ends by itself is forgotten by itself. */
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

    /** Whether a signal is not for the workflow, but for its waits. */
    static boolean isMeant(String signal) {
        return signal.equals(EventCode.SIGNAL) || signal.equals(USED);
    }

    /** An event has come. Nobody may wait for it any more, or not yet. One that nobody can make sense of is dropped. */
    void received(Message.Signal signal) {
        try {
            if (signal.name().equals(USED)) {
                EventForms.texts(signal.arguments().get(0)).forEach(id -> used(String.valueOf(id)));
            } else if (signal.arguments().size() == ARGUMENTS) {
                come(signal.arguments());
            }
        } catch (DormouseException | IndexOutOfBoundsException | NumberFormatException notOurs) {
            // somebody else's signal under our name
        }
    }

    private void come(List<Payload> arguments) {
        String waitId = EventForms.text(arguments.get(0));
        int number = Integer.parseInt(waitId.substring(waitId.lastIndexOf('/') + 1));
        PublishedEvent event = new PublishedEvent(
                EventForms.text(arguments.get(1)), EventForms.text(arguments.get(2)), arguments.get(3), payloads);
        Wait wait = waits.get(number);
        if (wait != null && wait.event.equals(event.name()) && wait.come == null) {
            wait.come = event;
        } else if (number > count) {
            early.putIfAbsent(number, event);
        }
    }

    /** What the run that this one continues as must know; none where there is nothing. */
    List<Message.Signal> forNext() {
        return used.isEmpty()
                ? List.of()
                : List.of(new Message.Signal(USED, List.of(EventForms.texts(List.copyOf(used)))));
    }
}
