package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.ProgressNotes;
import dev.dormouse.internal.engine.write.SizedBatches;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Note;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that writes the progress that steps report: all notes of a shard in one batch, at most once a second,
 * however often steps report. A crash loses at most the reports of that second. The note of a step that has ended is
 * erased.
 *
 * <p>Any thread may call {@link #close}; everything else runs on the loop's thread. Reports arrive through {@link
 * ProgressNotes}, whose gate wakes the loop. A failed write is repeated.
 */
public final class ProgressLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressLoop.class);
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    private final NodeContext context;
    private final ProgressNotes notes;
    private final Gate end;
    private volatile boolean closed;

    public ProgressLoop(NodeContext context, ProgressNotes notes) {
        this.context = context;
        this.notes = notes;
        this.end = context.threads().newGate();
    }

    public void close() {
        closed = true;
        notes.gate().open();
        end.open();
    }

    @Override
    public void run() {
        while (!closed) {
            notes.gate().pass();
            try {
                flush();
            } catch (StoreException noAnswer) {
                context.stalled(noAnswer);
                notes.gate().open();
            } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                LOG.error("Writing the progress of steps failed; trying again", problem);
                notes.gate().open();
            }
            end.pass(AT_MOST_EVERY);
        }
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
