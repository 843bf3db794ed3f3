package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.Blocked;
import dev.dormouse.engine.Ending;
import dev.dormouse.engine.Evicted;
import dev.dormouse.engine.Session;
import dev.dormouse.history.Event;
import dev.dormouse.store.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stay in which nothing happens but what is recorded. */
record QuerySession(RunRow run, List<Event> recorded) implements Session {

    @Override
    public boolean hasRun() {
        return true;
    }

    @Override
    public Instant stamp() {
        return recorded.get(recorded.size() - 1).at();
    }

    @Override
    public UUID newRunId() {
        return new UUID(0, 0);
    }

    @Override
    public boolean isServed(String type) {
        return true;
    }

    @Override
    public Event next(Blocked blocked) {
        throw new Evicted();
    }

    @Override
    public @Nullable Event close(
            List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending) {
        throw new Evicted();
    }
}
