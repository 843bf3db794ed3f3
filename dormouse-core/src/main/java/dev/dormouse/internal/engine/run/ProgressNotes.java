package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.event.Note;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Progress reports of steps that must be written to the store or erased. Only the last report of each step is kept.
 * Runs put notes here, and the {@code ProgressLoop} writes them.
 *
 * <p><b>Best effort.</b> A note is lost if its node dies before the loop writes it; the step then restarts from an
 * older note. Thread-safe.
 */
public final class ProgressNotes {
    private final Gate gate;
    private final Map<Place, Note> unwritten = new LinkedHashMap<>();
    private final Map<Place, Note> written = new HashMap<>();
    private final Map<Place, Note> unwanted = new LinkedHashMap<>();

    private record Place(int shard, UUID runId, int call) {
        static Place of(int shard, Note note) {
            return new Place(shard, note.runId(), note.call());
        }
    }

    /** @param gate opened when there are notes to write or to erase */
    public ProgressNotes(Gate gate) {
        this.gate = gate;
    }

    public Gate gate() {
        return gate;
    }

    void write(int shard, UUID runId, long lease, int call, int attempt, Progress progress) {
        Note note = new Note(runId, lease, call, attempt, progress.encode());
        synchronized (this) {
            unwritten.put(Place.of(shard, note), note);
            unwanted.remove(Place.of(shard, note));
        }
        gate.open();
    }

    /** Notes which reports of the run another node has written. */
    synchronized void found(int shard, List<Note> notes) {
        notes.forEach(note -> written.put(Place.of(shard, note), note));
    }

    /** Erases the note of a step whose end is committed. */
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

    /** Erases all notes of a run that has closed, perhaps in the middle of a step. */
    public void closed(UUID runId) {
        List<Place> places;
        synchronized (this) {
            places = written.keySet().stream()
                    .filter(place -> place.runId.equals(runId))
                    .toList();
        }
        places.forEach(place -> erase(place.shard, runId, place.call));
    }

    /**
     * Returns the notes to write, by shard. They count as written from now on, so that a note erased meanwhile is
     * erased again after the write.
     */
    public synchronized Map<Integer, List<Note>> toWrite() {
        written.putAll(unwritten);
        return byShard(unwritten);
    }

    /** Returns the notes to erase, by shard. */
    public synchronized Map<Integer, List<Note>> toErase() {
        return byShard(unwanted);
    }

    private static Map<Integer, List<Note>> byShard(Map<Place, Note> notes) {
        Map<Integer, List<Note>> sorted = new HashMap<>();
        notes.forEach((place, note) ->
                sorted.computeIfAbsent(place.shard, shard -> new ArrayList<>()).add(note));
        return sorted;
    }

    /** Removes notes that were written, unless newer ones have replaced them. */
    public synchronized void wrote(int shard, List<Note> notes) {
        notes.forEach(note -> unwritten.remove(Place.of(shard, note), note));
    }

    /** Removes notes that were erased. */
    public synchronized void erased(int shard, List<Note> notes) {
        notes.forEach(note -> unwanted.remove(Place.of(shard, note), note));
    }
}
