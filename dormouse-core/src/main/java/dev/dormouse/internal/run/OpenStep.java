package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.ProgrammingError;
import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A step that has been tried, or has reported progress, and has not ended. A step in its first attempt without a
 * report has left no trace in the store.
 *
 * @param attempt the number of the last known attempt
 * @param nextAt when the next attempt starts; null if it is in flight or handed out
 * @param failure the failure of the last attempt; null if it has not failed
 * @param repeats how often in a row it has failed with the same {@link ProgrammingError}; 0 for other failures
 * @param pause the name of its pause; empty if it does not pause
 * @param handedOut true if an external caller completes it
 * @param details its last reported progress; null if there is none
 */
public record OpenStep(
        String name,
        int attempt,
        @Nullable Instant nextAt,
        @Nullable Failure failure,
        int repeats,
        String pause,
        boolean handedOut,
        @Nullable Payload details) {

    /**
     * Returns the open steps of a run.
     *
     * @param now the current time: a note does not belong to an attempt that starts later
     */
    public static List<OpenStep> of(List<Event> history, List<Note> notes, Instant now) {
        Map<Integer, OpenStep> open = new TreeMap<>();
        for (Event event : history) {
            if (event instanceof Event.StepPostponed later) {
                open.put(later.call(), of(later, open.get(later.call())));
            } else if (event instanceof Event.StepHandedOut out) {
                open.put(out.call(), of(out));
            } else if (event instanceof Event.StepCompleted done) {
                open.remove(done.call());
            } else if (event instanceof Event.StepFailed failed) {
                open.remove(failed.call());
            } else if (event instanceof Event.MailReceived received) {
                received.items().forEach(item -> end(item, open));
            }
        }
        for (Note note : notes) {
            open.merge(note.call(), of(note), (recorded, noted) -> recorded.with(noted, now));
        }
        return new ArrayList<>(open.values());
    }

    private static OpenStep of(Event.StepPostponed later, @Nullable OpenStep before) {
        Tried tried = later.tried();
        return new OpenStep(
                later.name(),
                tried.attempt(),
                later.nextAt(),
                later.failure(),
                repeats(later.failure(), before),
                later.pause(),
                false,
                tried.details());
    }

    private static int repeats(@Nullable Failure failure, @Nullable OpenStep before) {
        if (failure == null || !ProgrammingError.is(failure)) {
            return 0;
        }
        if (before == null || before.failure == null) {
            return 1;
        }
        return ProgrammingError.isSame(before.failure, failure) ? before.repeats + 1 : 1;
    }

    /** Returns true if it has failed several times in a row with the same programming error. */
    public boolean looksLikeABug() {
        return repeats >= ProgrammingError.MANY;
    }

    private static OpenStep of(Event.StepHandedOut out) {
        Tried tried = out.tried();
        return new OpenStep(out.name(), tried.attempt(), null, null, 0, "", true, tried.details());
    }

    private static OpenStep of(Note note) {
        Progress progress = Progress.decode(note.payload());
        return new OpenStep(progress.step(), note.attempt(), null, null, 0, "", false, progress.details());
    }

    private static void end(InboxMessage item, Map<Integer, OpenStep> open) {
        if (item.kind() == Message.STEP_ENDED
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.StepEnded end
                && end.problem() == null) {
            open.remove(end.call());
        }
    }

    /** Returns this step, updated with a note if the note is of a later attempt than the recorded one. */
    private OpenStep with(OpenStep noted, Instant now) {
        boolean begunAgain = !pause.isEmpty() && nextAt != null && !nextAt.isAfter(now);
        return noted.attempt > attempt || begunAgain || pause.isEmpty() && nextAt == null
                ? new OpenStep(name, noted.attempt, null, failure, repeats, "", handedOut, noted.details)
                : this;
    }
}
