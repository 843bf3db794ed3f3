package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition.Cause;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of steps that were in flight when the run's previous node died or released it. Each death counts as an
 * attempt, and the next attempt gets the last reported progress. Nothing is written when a step starts, so a death
 * just before the start counts too. Confined to the run's thread.
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
     * @param lastEvent the time of the last recorded event of the run
     * @param handedOver true if the previous node released the run, possibly in the middle of a step
     * @param isBatched true if steps before the one in flight may have to be executed again
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

    /**
     * Returns the wanted steps with earlier deaths counted as attempts (in the first call) and with the progress that
     * was noted for them.
     */
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
            note = null; // written for another step: an earlier result differs after re-execution
        }
        boolean isResumed = note != null || isFirst && row.takeovers() > 0;
        return isResumed && mayHaveBegun(step.standing()) ? resumed(step, note, isFirst) : step;
    }

    private boolean mayHaveBegun(StepCall.Standing standing) {
        Instant nextAt = standing.nextAt();
        return standing.state().isDue() && (nextAt == null || context.clock().hasReached(nextAt));
    }

    /**
     * Returns true if the attempt that wrote {@code note} has ended, so that its recorded end has the latest
     * progress.
     */
    private static boolean isOld(Note note, StepCall.Standing standing) {
        Tried before = standing.tried();
        return before != null
                && (standing.state() == StepState.PAUSED
                        ? note.attempt() < before.attempt()
                        : note.attempt() <= before.attempt());
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
        StepState state = standing.state() == StepState.PAUSED
                ? standing.state().to(StepState.BACKING_OFF, Cause.TAKEOVER)
                : standing.state();
        return step.with(new StepCall.Standing(state, tried, standing.nextAt(), null, null, standing.lastFailure()));
    }
}
