package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.RunCode;
import dev.dormouse.engine.Threads;
import dev.dormouse.history.Message;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.ReplayedCode;
import dev.dormouse.store.PastEvent;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * The code of published events: runs whose one step brings them to those who wait. Its input is the event's name, its id,
 * and what was published.
 */
final class EventCode {
    /** The signal by which a run gets an event, with the id of its wait, that of the event, and what was published. */
    static final String SIGNAL = "dormouse.event";

    private static final String DELIVER = "deliver";

    private final EventDesk desk;

    EventCode(EventDesk desk) {
        this.desk = desk;
    }

    RunCode runs(Threads threads) {
        return ReplayedCode.ofStep(this::prepare, threads);
    }

    static List<Payload> input(String name, String id, Payload payload) {
        return List.of(text(name), text(id), payload);
    }

    private static Payload text(String text) {
        return NodeSchedules.own().encode(text);
    }

    static String text(Payload payload) {
        return Objects.requireNonNull((String) NodeSchedules.own().decode(payload, String.class));
    }

    private Callable<Payload> prepare(Replay run) {
        String name = text(run.input().get(0));
        String id = text(run.input().get(1));
        Payload payload = run.input().get(2);
        return () -> run.step(DELIVER, ActivityOptions.DEFAULT.policy(), false, attempt -> {
                    deliver(name, id, payload);
                    return Payload.NOTHING;
                })
                .payload();
    }

    private void deliver(String name, String id, Payload payload) {
        Object event = desk.read(payload);
        PastEvent past = EventDesk.past(name, id, payload);
        desk.node()
                .post(
                        past,
                        EventMatch.keys(event),
                        desk.window(),
                        wait -> EventDesk.match(wait).test(event),
                        wait -> new Message.Signal(SIGNAL, List.of(text(wait.id()), text(id), payload)));
    }
}
