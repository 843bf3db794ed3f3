package dev.dormouse.replay;

import dev.dormouse.engine.CodeMismatch;
import dev.dormouse.engine.Session;
import dev.dormouse.history.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the code asks for, beside what is recorded: while there are recorded events it must ask for the same again, and
 * from then on it is written down. Also keeps the run's time, which is that of its last event.
 */
final class Ledger {
    private final Session session;
    private final Recorded recorded;
    private final Consumer<Throwable> stop;
    private final List<Event> commands = new ArrayList<>();
    private Instant now;
    private int calls;

    /** @param stop told of a mismatch, so that the code cannot go on even if it catches it */
    Ledger(Session session, Recorded recorded, Consumer<Throwable> stop) {
        this.session = session;
        this.recorded = recorded;
        this.stop = stop;
        this.now = recorded.started().at();
    }

    Instant now() {
        return now;
    }

    void advanceTo(Instant instant) {
        now = instant.isAfter(now) ? instant : now;
    }

    /** The time for something that begins now and lasts: not before the store's clock. */
    Instant stamp() {
        Instant stamp = session.stamp();
        return stamp.isAfter(now) ? stamp : now;
    }

    /** How many calls there were, and so the number of the next. */
    int calls() {
        return calls;
    }

    int nextCall() {
        return calls++;
    }

    boolean isReplaying() {
        return recorded.hasNext();
    }

    /** Checks that a call is the one that is recorded under its number, if any is. */
    void check(int call, String what, Predicate<Event> matches) {
        try {
            recorded.checkCall(call, what, matches);
        } catch (CodeMismatch mismatch) {
            throw stop(mismatch);
        }
    }

    /** What the code asks for: as it is recorded, or as it is now. */
    <T extends Event> T command(Class<T> kind, Predicate<T> matches, String what, Supplier<T> live) {
        T event;
        if (recorded.hasNext()) {
            try {
                event = recorded.nextCommand(kind, matches, what);
            } catch (CodeMismatch mismatch) {
                throw stop(mismatch);
            }
        } else {
            event = live.get();
            commands.add(event);
        }
        now = event.at();
        return event;
    }

    /** The version of a change by which this run goes, or which it goes by from now on. */
    int version(String change, int min, int max) {
        @Nullable Integer known = recorded.version(change);
        if (known != null) {
            return known;
        }
        int version = recorded.hasNext() ? min : max;
        recorded.remember(change, version);
        if (!recorded.hasNext()) {
            commands.add(new Event.VersionMarked(now, change, version));
        }
        return version;
    }

    /** Writes a line for readers. Code that writes others than before is no other code: the recorded ones stay. */
    void mark(String kind, String text) {
        if (!recorded.passMark(kind, text) && !recorded.hasNext()) {
            commands.add(new Event.Marked(now, kind, text));
        }
    }

    List<Event> takeCommands() {
        List<Event> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    CodeMismatch stop(CodeMismatch mismatch) {
        stop.accept(mismatch);
        return mismatch;
    }
}
