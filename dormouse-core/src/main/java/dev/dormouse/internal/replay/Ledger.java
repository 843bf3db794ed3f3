package dev.dormouse.internal.replay;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the code, compared with the history. As long as there are recorded events, the code must repeat its
 * requests. After that, requests are collected as new commands. The ledger also keeps the run's time, which is that of
 * its last event. Belongs to the run's coroutines.
 */
final class Ledger {
    private final Session session;
    private final RecordedCalls recorded;
    private final Consumer<Throwable> stop;
    private final List<Event> commands = new ArrayList<>();
    private Instant now;
    private int calls;

    /** @param stop called with a mismatch, so that the code cannot continue even if it catches the exception */
    Ledger(Session session, RecordedCalls recorded, Consumer<Throwable> stop) {
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

    /** Returns the timestamp for a wait that begins now: the store's clock, but not earlier than the run's time. */
    Instant stamp() {
        Instant stamp = session.stamp();
        return stamp.isAfter(now) ? stamp : now;
    }

    /** Returns the number of calls so far, which is the number of the next call. */
    int calls() {
        return calls;
    }

    int nextCall() {
        return calls++;
    }

    boolean isReplaying() {
        return recorded.hasNext();
    }

    /** Checks that a call matches the recorded call with its number, if there is one. */
    void check(int call, String what, Predicate<Event> matches) {
        try {
            recorded.checkCall(call, what, matches);
        } catch (CodeMismatch mismatch) {
            throw stop(mismatch);
        }
    }

    /**
     * Returns the command that the code requests: the recorded one, or a new one if everything recorded was replayed.
     */
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

    /**
     * Returns the version of a change for this run. The first call of a run decides it:
     *
     * <ul>
     *   <li>{@code max} if the code makes this call for the first time. It is recorded before any later step begins.
     *   <li>{@code min} if the code may have passed the call before, without it. This includes the stretch between the last
     *       recorded event and the next input: a step or a wait may have begun there, and neither records its beginning.
     *       Later replays decide alike, because that input is recorded then.
     * </ul>
     *
     * @param isLive true if the code executes for the first time
     */
    int version(String change, int min, int max, boolean isLive) {
        @Nullable Integer known = recorded.version(change);
        if (known != null) {
            return known;
        }
        @Nullable
        Integer decided = recorded.hasNext() ? null : session.decidedVersions().get(change);
        boolean isNew = isLive || decided != null;
        int version = decided != null ? decided : isLive ? max : min;
        recorded.remember(change, version);
        if (isNew) {
            session.decidedVersions().put(change, version);
            commands.add(new Event.VersionMarked(now, change, version));
        }
        return version;
    }

    /**
     * Adds a line for readers of the history. Changed marks are not a code mismatch; on replay the recorded marks are
     * kept.
     */
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
