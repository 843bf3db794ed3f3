package dev.dormouse.store;

import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.newId;
import static dev.dormouse.store.Samples.newLease;
import static dev.dormouse.store.Samples.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.event.Note;
import dev.dormouse.store.run.RunRow;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Progress notes of steps: the latest note of the latest attempt is kept, as long as its node holds the run. */
interface NoteContract extends ContractWords {

    private static Note note(Held held, int call, int attempt, String text) {
        return new Note(held.runId(), held.lease(), call, attempt, bytes(text));
    }

    private void assertNotes(UUID runId, Note... expected) {
        assertThat(store().notes(SHARD, runId)).usingRecursiveComparison().isEqualTo(Arrays.asList(expected));
    }

    @Test
    default void notesOfARunAreReadInTheOrderOfItsCalls() {
        Held one = held("a");
        Held two = held("b");
        Note tenth = note(one, 10, 1, "tenth");
        Note second = note(one, 2, 3, "second");
        Note other = note(two, 5, 1, "other");
        store().note(SHARD, List.of(tenth, other, second));
        assertNotes(one.runId(), second, tenth);
        assertNotes(two.runId(), other);
        assertNotes(newId());
    }

    @Test
    default void laterNoteTakesThePlaceOfAnEarlierOne() {
        Held held = held("a");
        store().note(SHARD, List.of(note(held, 1, 1, "10 %")));
        store().note(SHARD, List.of(note(held, 1, 1, "20 %")));
        assertNotes(held.runId(), note(held, 1, 1, "20 %"));
        store().note(SHARD, List.of(note(held, 1, 2, "5 %")));
        assertNotes(held.runId(), note(held, 1, 2, "5 %"));
    }

    @Test
    default void noteOfAnEarlierAttemptComesTooLate() {
        Held held = held("a");
        store().note(SHARD, List.of(note(held, 1, 3, "third")));
        store().note(SHARD, List.of(note(held, 1, 2, "second"), note(held, 2, 1, "another call")));
        assertNotes(held.runId(), note(held, 1, 3, "third"), note(held, 2, 1, "another call"));
    }

    @Test
    default void noteUnderAnotherLeaseIsLeftOutAndTheOthersAreKept() {
        Held held = held("a");
        Held lost = held("b");
        Note stale = new Note(lost.runId(), newLease(), 1, 1, bytes("stale"));
        Note unknown = new Note(newId(), held.lease(), 1, 1, bytes("no such run"));
        store().note(SHARD, List.of(stale, unknown, note(held, 1, 1, "kept")));
        assertNotes(held.runId(), note(held, 1, 1, "kept"));
        assertNotes(lost.runId());
        assertNotes(unknown.runId());
    }

    @Test
    default void nodeThatLostTheRunWritesNoNoteAndEarlierNotesStay() {
        Held held = held("a");
        store().note(SHARD, List.of(note(held, 1, 1, "first")));
        committed(held.expire());
        Held next = Held.of(claim(10).get(0).row());
        store().note(SHARD, List.of(note(held, 1, 1, "late")));
        assertNotes(held.runId(), note(held, 1, 1, "first"));
        store().note(SHARD, List.of(note(next, 1, 1, "of the next")));
        assertNotes(held.runId(), note(next, 1, 1, "of the next"));
    }

    @Test
    default void closedRunTakesNoNotesAndKeepsThoseItHas() {
        Held held = held("a");
        store().note(SHARD, List.of(note(held, 1, 1, "first")));
        committed(held.close());
        store().note(SHARD, List.of(note(held, 1, 2, "late")));
        assertNotes(held.runId(), note(held, 1, 1, "first"));
    }

    @Test
    default void notesLeaveTheRunAsItIs() {
        Held held = held("a");
        RunRow before = row(held.runId());
        tick();
        store().note(SHARD, List.of(note(held, 1, 1, "x")));
        store().erase(SHARD, List.of(note(held, 1, 1, "")));
        assertThat(row(held.runId())).isEqualTo(before);
        committed(held.step());
    }

    @Test
    default void notesOfTheSameOrAnEarlierAttemptAreErased() {
        Held held = held("a");
        Held other = held("b");
        Note later = note(held, 2, 5, "later attempt");
        Note neighbor = note(held, 4, 1, "another call");
        Note elsewhere = note(other, 1, 1, "another run");
        store().note(SHARD, List.of(note(held, 1, 1, "a"), later, note(held, 3, 2, "c"), neighbor, elsewhere));
        store().erase(
                        SHARD,
                        List.of(
                                note(held, 1, 1, ""),
                                note(held, 2, 4, ""),
                                new Note(held.runId(), newLease(), 3, 9, bytes("another lease")),
                                note(held, 77, 1, "")));
        assertNotes(held.runId(), later, neighbor);
        assertNotes(other.runId(), elsewhere);
        store().note(SHARD, List.of(note(held, 1, 1, "again")));
        assertNotes(held.runId(), note(held, 1, 1, "again"), later, neighbor);
    }

    @Test
    default void nothingToNoteAndNothingToEraseDoNoHarm() {
        store().note(SHARD, List.of());
        store().erase(SHARD, List.of());
        store().erase(SHARD, List.of(new Note(newId(), 1, 1, 1, bytes(""))));
    }

    @Test
    default void notesMayBeEmptyOrLarge() {
        Held held = held("a");
        Note empty = note(held, 1, 1, "");
        Note large = new Note(held.runId(), held.lease(), 2, 1, randomBytes(1_000_000));
        store().note(SHARD, List.of(empty, large));
        List<Note> found = store().notes(SHARD, held.runId());
        assertThat(found).hasSize(2);
        assertThat(found.get(0).payload()).isEmpty();
        assertThat(found.get(1).payload()).isEqualTo(large.payload()); // comparing field by field takes ten seconds
    }

    @Test
    default void notesAreGoneWithTheirRun() {
        Held gone = held("gone");
        Held stays = held("stays");
        store().note(SHARD, List.of(note(gone, 1, 1, "a"), note(gone, 2, 1, "b"), note(stays, 1, 1, "c")));
        committed(gone.close());
        tick();
        assertThat(store().purge(SHARD, now(), Optional.empty(), 10).runs()).isEqualTo(1);
        assertNotes(gone.runId());
        assertNotes(stays.runId(), note(stays, 1, 1, "c"));
    }

    @Test
    default void noteOfTheLatestAttemptStaysInAnyOrderOfArrival() throws Exception {
        Held held = held("a");
        Together.run(8, thread -> {
            for (int i = 0; i < 10; i++) {
                int attempt = 1 + (i * 8 + thread) % 80;
                store().note(SHARD, List.of(note(held, 1, attempt, "attempt " + attempt)));
            }
            return thread;
        });
        assertNotes(held.runId(), note(held, 1, 80, "attempt 80"));
    }
}
