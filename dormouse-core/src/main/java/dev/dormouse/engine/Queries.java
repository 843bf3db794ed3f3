package dev.dormouse.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.History;
import dev.dormouse.store.Notice;
import dev.dormouse.store.RunRow;
import java.time.Duration;
import java.util.List;

/** Asks the code of runs something that changes nothing: here where it is known, otherwise through the store. */
final class Queries {
    private final Engine engine;

    Queries(Engine engine) {
        this.engine = engine;
    }

    Payload ask(RunRow run, String name, List<Payload> arguments, Duration atMost) {
        RunCode code = engine.code().get(run.type());
        if (code == null) {
            throw new DormouseException(
                    ErrorCode.NOT_ANSWERED,
                    "Expected a node that has the code of workflow type '" + run.type() + "' to answer within " + atMost
                            + ", but none did. Start one, or ask again later.");
        }
        return code.query(run, events(run), name, arguments);
    }

    private List<Event> events(RunRow run) {
        return History.read(run, engine.store().histories(run.shard(), List.of(run.runId())));
    }

    void hear(Notice notice) {}
}
