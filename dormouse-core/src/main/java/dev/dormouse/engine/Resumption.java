package dev.dormouse.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.history.Progress;
import dev.dormouse.history.Tried;
import dev.dormouse.store.Note;
import dev.dormouse.store.RunRow;
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
    private final Engine engine;
    private final RunRow row;
    private final Instant lastEvent;
    private boolean done;

    /**
     * @param lastEvent when the last thing happened that is recorded of the run
     * @param handedOver whether its node has given it up, perhaps in the middle of a step
     */
    Resumption(Engine engine, RunRow row, Instant lastEvent, boolean handedOver) {
        this.engine = engine;
        this.row = row;
        this.lastEvent = lastEvent;
        this.done = row.takeovers() == 0 && !handedOver;
    }

    /** The first steps that the code wants, as they stand; all later ones are as they were. */
    List<StepCall> resume(List<StepCall> wanted) {
        if (done || wanted.isEmpty()) {
            done = true;
            return wanted;
        }
        done = true;
        Map<Integer, Note> notes = new HashMap<>();
        engine.persist(() -> engine.store().notes(row.shard(), row.runId()))
                .forEach(note -> notes.put(note.call(), note));
        return wanted.stream()
                .map(step -> isResumed(step, notes) ? resumed(step, notes.get(step.call())) : step)
                .toList();
    }

    private boolean isResumed(StepCall step, Map<Integer, Note> notes) {
        return mayHaveBegun(step.standing()) && (row.takeovers() > 0 || notes.containsKey(step.call()));
    }

    private boolean mayHaveBegun(StepCall.Standing standing) {
        Instant nextAt = standing.nextAt();
        return standing.token() == null
                && standing.failed() == null
                && (nextAt == null || engine.clock().hasReached(nextAt));
    }

    /** Whether the attempt that has said so has come to its end, with what it said last. */
    private static boolean isOld(Note note, StepCall.Standing standing) {
        Tried before = standing.tried();
        return before != null
                && (standing.paused() ? note.attempt() < before.attempt() : note.attempt() <= before.attempt());
    }

    private StepCall resumed(StepCall step, @Nullable Note note) {
        StepCall.Standing standing = step.standing();
        Tried before = standing.tried();
        int attempts = standing.attempt() - 1 + row.takeovers();
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
