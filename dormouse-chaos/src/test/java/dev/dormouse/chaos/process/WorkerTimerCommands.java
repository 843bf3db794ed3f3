package dev.dormouse.chaos.process;

import dev.dormouse.Dormouse;
import dev.dormouse.chaos.workload.JournalEntry;
import dev.dormouse.chaos.workload.WorkerJournal;
import dev.dormouse.timer.TimerOptions;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** The worker commands for timers, whose handlers book a row or write into the journal. */
public final class WorkerTimerCommands {
    private static final String BOOK = "book";
    private static final String WRITE = "write";

    /** The system property with the time that a handler takes after it has written. */
    public static final String STAY_MILLIS = "timers.stayMillis";

    private final Dormouse dormouse;

    public WorkerTimerCommands(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** @param prefix the prefix of table names */
    public static void handle(Dormouse dormouse, WorkerJournal.Writer journal, String prefix) {
        String sql = "insert into " + prefix + "ledger (workflow_id, amount) values (?, 7)";
        dormouse.timers().handleInTransaction(BOOK, String.class, (id, connection) -> {
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setString(1, id);
                insert.executeUpdate();
            }
        });
        dormouse.timers().handle(WRITE, String.class, (id, firing) -> {
            journal.write(JournalEntry.Kind.BEGAN, id, new UUID(0, 0), "attempt-" + firing.attempt());
            LockSupport.parkNanos(
                    Duration.ofMillis(Long.getLong(STAY_MILLIS, 0)).toNanos());
        });
    }

    /**
     * handler prefix number millis: the first timer is due after so many milliseconds, and one more each millisecond
     */
    public String set(String[] words) throws Exception {
        Instant first = Instant.now().plus(Duration.ofMillis(Long.parseLong(words[3])));
        WorkerCommands.inParallel(Integer.parseInt(words[2]), i -> {
            String id = words[1] + i;
            dormouse.timers().at(first.plusMillis(i), words[0], TimerOptions.DEFAULT.withId(id), id);
        });
        return "ok";
    }
}
