package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.ProgressNotes;
import dev.dormouse.internal.engine.write.SizedBatches;
import dev.dormouse.store.event.Note;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The loop that writes the progress that steps report: all notes of a shard in one batch, at most once a second,
 * however often steps report. A crash loses at most the reports of that second. The note of a step that has ended is
 * erased.
 *
 * <p>Any thread may call {@link #close}; everything else runs on the loop's thread. Reports arrive through {@link
 * ProgressNotes}, whose gate wakes the loop. A failed write is repeated.
 */
public final class ProgressLoop extends StoreLoop {
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    private final ProgressNotes notes;

    public ProgressLoop(NodeContext context, ProgressNotes notes) {
        super(context, notes.gate());
        this.notes = notes;
    }

    @Override
    protected void turn() {
        await();
        if (!attempt("Writing the progress of steps failed; trying again", this::flush)) {
            wake();
        }
        rest(AT_MOST_EVERY);
    }

    private void flush() {
        for (Map.Entry<Integer, List<Note>> shard : notes.toWrite().entrySet()) {
            for (List<Note> some : SizedBatches.of(shard.getValue(), note -> note.payload().length)) {
                context.store().note(shard.getKey(), some);
                notes.wrote(shard.getKey(), some);
            }
        }
        for (Map.Entry<Integer, List<Note>> shard : notes.toErase().entrySet()) {
            for (List<Note> some : SizedBatches.of(shard.getValue(), note -> note.payload().length)) {
                context.store().erase(shard.getKey(), some);
                notes.erased(shard.getKey(), some);
            }
        }
    }
}
