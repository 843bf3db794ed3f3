package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.StepPolicy;
import dev.dormouse.error.CanceledFailure;
import dev.dormouse.history.Message;
import dev.dormouse.replay.Replay;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events that a run waits for. Belongs to the run's coroutines. */
final class RunEvents {
    private static final StepPolicy UNTIL_DONE = ActivityOptions.DEFAULT.policy();

    private final Replay run;
    private final Payloads payloads;
    private final @Nullable EventDesk desk;
    private final Map<String, Wait> waits = new HashMap<>();
    private final Set<String> used = new HashSet<>();
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
        String id = run.started().identity(run.run().runId()) + "/" + ++count;
        Wait wait = new Wait(event);
        waits.put(id, wait);
        try {
            PublishedEvent early = subscribe(id, event, match, deadline);
            if (early == null) {
                run.await(deadline, () -> wait.come != null);
            }
            return used(early == null ? wait.come : early);
        } catch (CanceledFailure canceled) {
            unsubscribe(id, event, deadline);
            throw canceled;
        } finally {
            waits.remove(id);
        }
    }

    private Optional<PublishedEvent> used(@Nullable PublishedEvent event) {
        if (event != null) {
            used.add(event.id());
        }
        return Optional.ofNullable(event);
    }

    private @Nullable PublishedEvent subscribe(String id, String event, EventMatch match, @Nullable Instant deadline) {
        String workflowId = run.run().workflowId();
        Set<String> before = Set.copyOf(used);
        Payload early = run.step(
                        "wait for event '" + event + "'",
                        UNTIL_DONE,
                        false,
                        attempt -> EventDesk.encode(desk().subscribe(workflowId, id, event, match, deadline, before)))
                .payload();
        EventDesk.Kept kept = EventDesk.decode(early);
        return kept == null ? null : kept.open(event, payloads);
    }

    /** One that ends by itself is forgotten by itself. */
    private void unsubscribe(String id, String event, @Nullable Instant deadline) {
        if (deadline == null) {
            String workflowId = run.run().workflowId();
            run.within(
                    run.newScope(true),
                    () -> run.step("forget event '" + event + "'", UNTIL_DONE, false, attempt -> {
                        desk().unsubscribe(workflowId, id);
                        return Payload.NOTHING;
                    }));
        }
    }

    private EventDesk desk() {
        return Objects.requireNonNull(desk);
    }

    /** An event has come. Nobody may wait for it any more. */
    void received(Message.Signal signal) {
        Wait wait = waits.get(EventCode.text(signal.arguments().get(0)));
        if (wait != null && wait.come == null) {
            String id = EventCode.text(signal.arguments().get(1));
            wait.come = new PublishedEvent(wait.event, id, signal.arguments().get(2), payloads);
        }
    }
}
