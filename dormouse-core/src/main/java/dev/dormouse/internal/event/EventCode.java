package dev.dormouse.internal.event;

import dev.dormouse.ActivityOptions;
import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.ReplayedCode;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.EventSignals;
import dev.dormouse.store.event.Subscription;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * The code of published events. Each event is a run with one step, which delivers the event to the runs that wait for
 * it. Its input is the event's name and the event.
 */
public final class EventCode {
    /**
     * The signal that delivers an event to a run. Its arguments are the id of the wait, the name of the event, the
     * event's id, and the payload.
     */
    private static final String DELIVER = "deliver";

    private final EventDesk desk;

    public EventCode(EventDesk desk) {
        this.desk = desk;
    }

    public RunCode runs(Threads threads) {
        return ReplayedCode.ofStep(this::prepare, threads);
    }

    static List<Payload> input(String name, EventForms.Kept event) {
        return List.of(EventForms.text(name), EventForms.encode(event));
    }

    private Callable<Payload> prepare(Replay run) {
        String name = EventForms.text(run.input().get(0));
        EventForms.Kept event =
                Objects.requireNonNull(EventForms.event(run.input().get(1)));
        return () -> run.step(DELIVER, EngineOptions.policy(ActivityOptions.DEFAULT), false, attempt -> {
                    deliver(name, event);
                    return Payload.NOTHING;
                })
                .payload();
    }

    private void deliver(String name, EventForms.Kept event) {
        desk.node()
                .post(
                        EventForms.past(name, event),
                        event.keys(),
                        desk.keep(),
                        wait -> EventForms.wanted(wait).isMetBy(event),
                        wait -> messageTo(wait, name, event));
    }

    private static Message messageTo(Subscription wait, String name, EventForms.Kept event) {
        return new Message.Signal(
                EventSignals.DELIVERED,
                List.of(
                        EventForms.text(wait.id()),
                        EventForms.text(name),
                        EventForms.text(event.id()),
                        event.payload()));
    }
}
