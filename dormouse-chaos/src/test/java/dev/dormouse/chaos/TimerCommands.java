package dev.dormouse.chaos;

import dev.dormouse.Dormouse;
import dev.dormouse.TimerOptions;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** What a test can ask a worker to do with timers: they book a row each, or write into the journal. */
final class TimerCommands {
    private static final String BOOK = "book";
    private static final String WRITE = "write";

    /** How long a handler stays in its call after it has written. */
    static final String STAY_MILLIS = "timers.stayMillis";

    private final Dormouse dormouse;

    TimerCommands(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** @param prefix before the names of tables */
    static void handle(Dormouse dormouse, Journal.Writer journal, String prefix) {
        String sql = "insert into " + prefix + "ledger (workflow_id, amount) values (?, 7)";
        dormouse.timers().handleInTransaction(BOOK, String.class, (id, connection) -> {
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setString(1, id);
                insert.executeUpdate();
            }
        });
        dormouse.timers().handle(WRITE, String.class, (id, firing) -> {
            journal.write(Deed.Kind.BEGAN, id, new UUID(0, 0), "attempt-" + firing.attempt());
            LockSupport.parkNanos(
                    Duration.ofMillis(Long.getLong(STAY_MILLIS, 0)).toNanos());
        });
    }

    /** handler prefix number millis: the first is due so long from now, and one more each millisecond */
    String set(String[] words) throws Exception {
        Instant first = Instant.now().plus(Duration.ofMillis(Long.parseLong(words[3])));
        WorkerCommands.inParallel(Integer.parseInt(words[2]), i -> {
            String id = words[1] + i;
            dormouse.timers().at(TimerOptions.DEFAULT.id(id), first.plusMillis(i), words[0], id);
        });
        return "ok";
    }
}
