package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run that was taken over makes of the steps that were in flight when its node died: each death counts as an
 * attempt, and the next one is given what was noted of their progress. Nothing is written down when a step begins, so a
 * death just before that counts too.
 */
final class Resumption {
    private final NodeContext context;
    private final ProgressNotes progress;
    private final RunRow row;
    private final Instant lastEvent;
    private final boolean isBatched;
    private final Map<Integer, Note> notes = new HashMap<>();
    private boolean done;
    private boolean hasRead;

    /**
     * @param lastEvent when the last thing happened that is recorded of the run
     * @param handedOver whether its node has given it up, perhaps in the middle of a step
     * @param isBatched whether steps before the one in flight may have to be done again
     */
    Resumption(
            NodeContext context,
            ProgressNotes progress,
            RunRow row,
            Instant lastEvent,
            boolean handedOver,
            boolean isBatched) {
        this.context = context;
        this.progress = progress;
        this.row = row;
        this.lastEvent = lastEvent;
        this.isBatched = isBatched;
        this.done = row.takeovers() == 0 && !handedOver;
        this.hasRead = done;
    }

    /** The first steps that the code wants, as they stand, and later ones of which there is a note. */
    List<StepCall> resume(List<StepCall> wanted) {
        boolean isFirst = !done;
        done = true;
        if (wanted.isEmpty()) {
            hasRead |= isFirst && !isBatched;
            return wanted;
        }
        if (!hasRead) {
            hasRead = true;
            read();
        }
        return isFirst || !notes.isEmpty()
                ? wanted.stream().map(step -> resume(step, isFirst)).toList()
                : wanted;
    }

    private void read() {
        List<Note> found = context.persist(() -> context.store().notes(row.shard(), row.runId()));
        progress.found(row.shard(), found);
        found.forEach(note -> notes.put(note.call(), note));
    }

    private StepCall resume(StepCall step, boolean isFirst) {
        Note note = notes.remove(step.call());
        if (note != null && !Progress.decode(note.payload()).step().equals(step.name())) {
            note = null; // of a step that was there before a result that is another now
        }
        boolean isResumed = note != null || isFirst && row.takeovers() > 0;
        return isResumed && mayHaveBegun(step.standing()) ? resumed(step, note, isFirst) : step;
    }

    private boolean mayHaveBegun(StepCall.Standing standing) {
        Instant nextAt = standing.nextAt();
        return standing.token() == null
                && standing.failed() == null
                && (nextAt == null || context.clock().hasReached(nextAt));
    }

    /** Whether the attempt that has said so has come to its end, with what it said last. */
    private static boolean isOld(Note note, StepCall.Standing standing) {
        Tried before = standing.tried();
        return before != null
                && (standing.paused() ? note.attempt() < before.attempt() : note.attempt() <= before.attempt());
    }

    private StepCall resumed(StepCall step, @Nullable Note note, boolean isFirst) {
        StepCall.Standing standing = step.standing();
        Tried before = standing.tried();
        int attempts = standing.attempt() - 1 + (isFirst ? row.takeovers() : 0);
        if (note != null && !isOld(note, standing) && !isFirst) {
            attempts = Math.max(attempts, note.attempt());
        }
        Payload said = before == null ? null : before.details();
        Tried tried = new Tried(
                attempts,
                before == null ? lastEvent : before.firstStartedAt(),
                before == null ? lastEvent : before.startedAt(),
                note == null || isOld(note, standing)
                        ? said
                        : Progress.decode(note.payload()).details(),
                before == null ? null : before.checkpoint());
        return step.with(new StepCall.Standing(tried, standing.nextAt(), false, null, null, standing.lastFailure()));
    }
}
