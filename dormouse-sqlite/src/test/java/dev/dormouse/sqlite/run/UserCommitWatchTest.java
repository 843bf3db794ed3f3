package dev.dormouse.sqlite.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.Sample;
import dev.dormouse.sqlite.Stores;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node is notified of a start in a user's transaction when that is committed, not at its next sweep. */
@Timeout(60)
class UserCommitWatchTest {
    private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");

    @TempDir
    Path directory;

    private final LinkedBlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
    private Store store;
    private Connection connection;
    private AutoCloseable listening;

    @BeforeEach
    void open() throws Exception {
        Path file = directory.resolve("trial.db");
        store = Stores.open(file);
        connection = Stores.connect(file);
        connection.setAutoCommit(false);
        listening = store.listen(heard::add, () -> {});
    }

    @AfterEach
    void close() throws Exception {
        listening.close();
        connection.close();
        store.close();
    }

    private static Start inLane(String lane) {
        NextState next = NextState.pending(new Alarm.At(LATER), WakeReason.START);
        return new Start("in " + lane, Sample.newId(), "Order", lane, "", next, Sample.event(), Set.of());
    }

    private Notice next() throws InterruptedException {
        return heard.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void listenerIsNotifiedOfAStartAfterItsCommitAndNotBefore() throws Exception {
        store.startWithin(connection, 0, inLane("a"));
        assertThat(heard.poll(50, TimeUnit.MILLISECONDS)).isNull();
        connection.commit();
        assertThat(next()).isEqualTo(new Notice.AlarmSet(0, "a", LATER));
    }

    @Test
    void listenerIsNotNotifiedOfARolledBackStart() throws Exception {
        store.startWithin(connection, 0, inLane("a"));
        connection.rollback();
        store.startWithin(connection, 0, inLane("b"));
        connection.commit();
        assertThat(next()).isEqualTo(new Notice.AlarmSet(0, "b", LATER));
        assertThat(heard).isEmpty();
    }

    @Test
    void listenerThatFailsDoesNotHarmTheOthers() throws Exception {
        listening.close();
        try (AutoCloseable bad = store.listen(
                        notice -> {
                            throw new IllegalStateException("listener");
                        },
                        () -> {});
                AutoCloseable good = store.listen(heard::add, () -> {})) {
            store.startWithin(connection, 0, inLane("a"));
            store.startWithin(connection, 0, inLane("b"));
            connection.commit();
            assertThat(List.of(next(), next()))
                    .containsExactlyInAnyOrder(new Notice.AlarmSet(0, "a", LATER), new Notice.AlarmSet(0, "b", LATER));
            assertThat(bad).isNotSameAs(good);
        }
    }

    @Test
    void closedListenerIsNotNotified() throws Exception {
        LinkedBlockingQueue<Notice> other = new LinkedBlockingQueue<>();
        AutoCloseable stopped = store.listen(other::add, () -> {});
        stopped.close();
        store.startWithin(connection, 0, inLane("a"));
        connection.commit();
        assertThat(next()).isNotNull();
        assertThat(other).isEmpty();
    }
}
