package dev.dormouse.engine;

import dev.dormouse.history.Progress;
import dev.dormouse.store.Note;
import dev.dormouse.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what steps say of their progress: the last word of each, all of a shard in one statement, and no more
 * often than once a second, however often they say something. What is lost in a crash is at most what was said within
 * that second. When a step is over its note is erased.
 *
 * <p>Any thread may {@link #write} and {@link #erase}.
 */
final class NoteLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(NoteLoop.class);
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

    private final Engine engine;
    private final Gate gate;
    private final Gate end;
    private final Map<Place, Note> unwritten = new LinkedHashMap<>();
    private final Map<Place, Note> written = new HashMap<>();
    private final Map<Place, Note> unwanted = new LinkedHashMap<>();
    private volatile boolean closed;

    private record Place(int shard, UUID runId, int call) {
        static Place of(int shard, Note note) {
            return new Place(shard, note.runId(), note.call());
        }
    }

    NoteLoop(Engine engine) {
        this.engine = engine;
        this.gate = engine.threads().newGate();
        this.end = engine.threads().newGate();
    }

    void write(int shard, UUID runId, long lease, int call, int attempt, Progress progress) {
        Note note = new Note(runId, lease, call, attempt, progress.encode());
        synchronized (this) {
            unwritten.put(Place.of(shard, note), note);
            unwanted.remove(Place.of(shard, note));
        }
        gate.open();
    }

    /** Another node has written these. */
    synchronized void found(int shard, List<Note> notes) {
        notes.forEach(note -> written.put(Place.of(shard, note), note));
    }

    /** The attempt that has said something is over, and that is committed. */
    void erase(int shard, UUID runId, int call) {
        Note note = new Note(runId, 0, call, Integer.MAX_VALUE, new byte[0]);
        Place place = Place.of(shard, note);
        synchronized (this) {
            unwritten.remove(place);
            if (written.remove(place) == null) {
                return;
            }
            unwanted.put(place, note);
        }
        gate.open();
    }

    /** A run has closed, perhaps in the middle of a step. */
    void closed(UUID runId) {
        List<Place> places;
        synchronized (this) {
            places = written.keySet().stream()
                    .filter(place -> place.runId.equals(runId))
                    .toList();
        }
        places.forEach(place -> erase(place.shard, runId, place.call));
    }

    void close() {
        closed = true;
        gate.open();
        end.open();
    }

    @Override
    public void run() {
        while (!closed) {
            gate.pass();
            try {
                flush();
            } catch (StoreException noAnswer) {
                engine.stalled(noAnswer);
                gate.open();
            } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                LOG.error("Writing down the progress of steps failed; trying again", problem);
                gate.open();
            }
            end.pass(AT_MOST_EVERY);
        }
    }

    private void flush() {
        for (Map.Entry<Integer, List<Note>> notes : toWrite().entrySet()) {
            for (List<Note> some : Pieces.of(notes.getValue(), note -> note.payload().length)) {
                engine.store().note(notes.getKey(), some);
                done(notes.getKey(), some, unwritten);
            }
        }
        for (Map.Entry<Integer, List<Note>> notes : byShard(unwanted).entrySet()) {
            for (List<Note> some : Pieces.of(notes.getValue(), note -> note.payload().length)) {
                engine.store().erase(notes.getKey(), some);
                done(notes.getKey(), some, unwanted);
            }
        }
    }

    private synchronized Map<Integer, List<Note>> byShard(Map<Place, Note> notes) {
        Map<Integer, List<Note>> sorted = new HashMap<>();
        notes.forEach((place, note) ->
                sorted.computeIfAbsent(place.shard, shard -> new ArrayList<>()).add(note));
        return sorted;
    }

    /** Counts as written from now on: what is erased meanwhile must be erased after it. */
    private synchronized Map<Integer, List<Note>> toWrite() {
        written.putAll(unwritten);
        return byShard(unwritten);
    }

    private synchronized void done(int shard, List<Note> notes, Map<Place, Note> list) {
        notes.forEach(note -> list.remove(Place.of(shard, note), note));
    }
}
