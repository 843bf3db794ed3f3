package dev.dormouse.internal.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final UUID RUN = new UUID(1, 2);

    private final List<Event> events = new ArrayList<>();
    private final List<HistoryRow> rows = new ArrayList<>();
    private long checksum = Checksum.EMPTY;

    private void append(List<Event> some) {
        byte[] payload = EventCodec.encode(some);
        checksum = Checksum.next(checksum, events.size(), some.size(), payload);
        rows.add(new HistoryRow(RUN, events.size(), some.size(), Instant.EPOCH, checksum, payload));
        events.addAll(some);
    }

    private void fill(long seed) {
        RandomEvents random = new RandomEvents(seed);
        Random sizes = new Random(seed);
        for (int i = 0; i < 6; i++) {
            append(random.list(1 + sizes.nextInt(3)));
        }
    }

    /** Returns the row of a run whose events are all known to it. */
    private static RunRow run(int nextSeq, long checksum) {
        return run(RunStatus.WAITING, nextSeq, checksum);
    }

    private static RunRow run(RunStatus status, int nextSeq, long checksum) {
        return new RunRow(
                0,
                RUN,
                "w",
                "t",
                "t",
                status,
                1,
                "",
                null,
                WakeReason.LEASE,
                nextSeq,
                checksum,
                0,
                0,
                0,
                0,
                "",
                "",
                Instant.EPOCH,
                null);
    }

    private void assertDamaged(List<HistoryRow> damaged) {
        Throwable problem = catchThrowable(() -> History.read(run(events.size(), checksum), damaged));
        assertThat(problem).isInstanceOf(DormouseException.class).hasMessageContaining(RUN.toString());
        assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.HISTORY_DAMAGED);
    }

    @Test
    void wholeHistoryIsRead() {
        fill(1);
        assertThat(History.read(run(events.size(), checksum), rows)).isEqualTo(events);
    }

    @Test
    void rowsAppendedAfterTheRunWasReadAreLeftOut() {
        fill(1);
        HistoryRow third = rows.get(2);
        List<Event> first = History.read(run(third.seq(), rows.get(1).checksum()), rows);
        assertThat(first).isEqualTo(events.subList(0, third.seq()));
    }

    @Test
    void rowsThatTheOwnerOfARunningRunHasAppendedAreRead() {
        fill(1);
        HistoryRow third = rows.get(2);
        RunRow running = run(RunStatus.RUNNING, third.seq(), rows.get(1).checksum());
        assertThat(History.read(running, rows)).isEqualTo(events);
        assertThat(History.committed(running, rows).checksum()).isEqualTo(checksum);
        assertThat(History.exactly(running, rows).events()).isEqualTo(events.subList(0, third.seq()));
        assertThat(History.end(running, rows)).isEqualTo(new History.End(events.size(), checksum));
        assertThat(History.end(running, rows.subList(0, 1)))
                .isEqualTo(new History.End(third.seq(), rows.get(1).checksum()));
    }

    @Test
    void damageBeforeOrBehindTheRowsEndIsNoticedWhileTheRunIsRunning() {
        fill(2);
        RunRow running = run(RunStatus.RUNNING, rows.get(2).seq(), rows.get(1).checksum());
        for (int missing = 0; missing + 1 < rows.size(); missing++) {
            List<HistoryRow> some = new ArrayList<>(rows);
            some.remove(missing);
            assertThat(catchThrowable(() -> History.read(running, some)))
                    .as("without row " + missing)
                    .hasMessageContaining("[DM4002]");
        }
        assertThat(catchThrowable(() -> History.read(running, rows.subList(0, 1))))
                .hasMessageContaining("[DM4002]");
        RunRow other = run(RunStatus.RUNNING, rows.get(2).seq(), rows.get(1).checksum() ^ 1);
        assertThat(catchThrowable(() -> History.read(other, rows))).hasMessageContaining("[DM4002]");
    }

    @Test
    void anyMissingRowIsDamage() {
        fill(2);
        for (int i = 0; i < rows.size(); i++) {
            List<HistoryRow> some = new ArrayList<>(rows);
            some.remove(i);
            assertDamaged(some);
        }
        assertDamaged(List.of());
        assertDamaged(rows.subList(0, 3));
    }

    @Test
    void doubledAndSwappedRowsAreDamage() {
        fill(3);
        for (int i = 0; i + 1 < rows.size(); i++) {
            List<HistoryRow> swapped = new ArrayList<>(rows);
            Collections.swap(swapped, i, i + 1);
            assertDamaged(swapped);
            List<HistoryRow> doubled = new ArrayList<>(rows);
            doubled.add(i, rows.get(i));
            assertDamaged(doubled);
        }
    }

    @Test
    void anyFlippedBitIsDamage() {
        fill(4);
        for (int r = 0; r < rows.size(); r++) {
            HistoryRow row = rows.get(r);
            for (int bit = 0; bit < row.payload().length * 8; bit += 1 + bit / 50) {
                byte[] payload = row.payload().clone();
                payload[bit / 8] ^= (byte) (1 << bit % 8);
                List<HistoryRow> damaged = new ArrayList<>(rows);
                damaged.set(r, new HistoryRow(RUN, row.seq(), row.count(), row.at(), row.checksum(), payload));
                assertDamaged(damaged);
            }
        }
    }

    @Test
    void alteredColumnsAreDamage() {
        fill(5);
        for (int r = 0; r < rows.size(); r++) {
            HistoryRow row = rows.get(r);
            for (HistoryRow altered : List.of(
                    new HistoryRow(RUN, row.seq() + 1, row.count(), row.at(), row.checksum(), row.payload()),
                    new HistoryRow(RUN, row.seq(), row.count() + 1, row.at(), row.checksum(), row.payload()),
                    new HistoryRow(RUN, row.seq(), row.count(), row.at(), row.checksum() ^ 1, row.payload()))) {
                List<HistoryRow> damaged = new ArrayList<>(rows);
                damaged.set(r, altered);
                assertDamaged(damaged);
            }
        }
    }

    @Test
    void alteredRunRowIsDamage() {
        fill(6);
        assertThat(catchThrowable(() -> History.read(run(events.size(), checksum ^ 1), rows)))
                .hasMessageContaining("[DM4002]");
        assertThat(catchThrowable(() -> History.read(run(events.size() + 1, checksum), rows)))
                .hasMessageContaining("[DM4002]");
    }

    @Test
    void checksumDependsOnEverythingThatGoesIntoIt() {
        Set<Long> sums = new HashSet<>();
        sums.add(Checksum.next(0, 0, 1, new byte[] {1}));
        sums.add(Checksum.next(1, 0, 1, new byte[] {1}));
        sums.add(Checksum.next(1L << 40, 0, 1, new byte[] {1}));
        sums.add(Checksum.next(0, 1, 1, new byte[] {1}));
        sums.add(Checksum.next(0, 0, 2, new byte[] {1}));
        sums.add(Checksum.next(0, 0, 1, new byte[] {2}));
        sums.add(Checksum.next(0, 0, 1, new byte[] {1, 0}));
        sums.add(Checksum.next(0, 0, 1, new byte[] {}));
        assertThat(sums).hasSize(8);
    }
}
