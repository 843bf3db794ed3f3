package dev.dormouse.postgres.notify;

import static dev.dormouse.postgres.Runs.LANE;
import static dev.dormouse.postgres.Runs.many;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.postgres.Runs;
import dev.dormouse.postgres.TestPostgres;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NotificationTest {
    private static final Notice LAST = new Notice.Closed(new UUID(9, 9));

    private final BlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
    private final AtomicInteger gaps = new AtomicInteger();
    private final String schema = TestPostgres.newSchema();
    private Store sender;
    private Store receiver;
    private AutoCloseable listening;

    @BeforeEach
    void open() {
        sender = TestPostgres.open(schema);
        receiver = TestPostgres.open(schema);
        listening = receiver.listen(heard::add, gaps::incrementAndGet);
    }

    @AfterEach
    void close() throws Exception {
        listening.close();
        receiver.close();
        sender.close();
    }

    /** Returns all notices received up to a last one, which is sent now. */
    private List<Notice> heardUpTo(Store last) throws InterruptedException {
        last.notify(List.of(LAST));
        List<Notice> all = new ArrayList<>();
        for (Notice notice = next(); !notice.equals(LAST); notice = next()) {
            all.add(notice);
        }
        return all;
    }

    private Notice next() throws InterruptedException {
        Notice notice = heard.poll(20, TimeUnit.SECONDS);
        assertThat(notice).as("a notice within 20 s").isNotNull();
        return notice;
    }

    @Test
    void everyKindOfNoticeIsHeardAsItWasSent() throws InterruptedException {
        UUID run = Runs.newId();
        Instant at = Instant.parse("2030-01-01T00:00:00.000001Z");
        List<Notice> sent = List.of(
                new Notice.MailArrived("node \t\n% ü\uD83D\uDC2D", run),
                new Notice.LeaseLost("", run),
                new Notice.Watched(run),
                new Notice.Closed(run),
                new Notice.Asked(7, "odd\\ ,'lane\"\r\t%"),
                new Notice.Replied(run),
                new Notice.AlarmSet(3, "odd\\ ,'lane\"\r", at));
        sender.notify(sent);
        assertThat(heardUpTo(sender)).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void thousandsOfNoticesArriveInPayloadsThatPostgresTakes() throws InterruptedException {
        List<Notice> sent = new ArrayList<>(many(3_000, i -> new Notice.MailArrived("node-" + i, Runs.newId())));
        sender.notify(sent);
        assertThat(heardUpTo(sender)).containsExactlyElementsOf(sent);
    }

    @Test
    void noticeThatIsTooLongIsLostAndTheOthersAreNot() throws InterruptedException {
        Notice good = new Notice.Watched(Runs.newId());
        sender.notify(List.of(new Notice.MailArrived("x".repeat(8_000), Runs.newId()), good));
        assertThat(heardUpTo(sender)).containsExactly(good);
    }

    @Test
    void otherSchemasOfTheDatabaseAreNotHeard() throws InterruptedException {
        try (Store other = TestPostgres.open(TestPostgres.newSchema())) {
            other.notify(List.of(new Notice.Watched(Runs.newId())));
        }
        assertThat(heardUpTo(sender)).isEmpty();
    }

    @Test
    void startInAUsersTransactionIsHeardWhenTheUserCommits() throws Exception {
        try (Connection user = TestPostgres.connect()) {
            user.setAutoCommit(false);
            assertThat(sender.startWithin(user, 0, Runs.pending("a", Alarm.NOW)))
                    .isInstanceOf(StartOutcome.Started.class);
            assertThat(heardUpTo(sender)).isEmpty();
            user.commit();
        }
        Instant alarm = sender.current(0, "a").orElseThrow().wakeAt();
        assertThat(next()).isEqualTo(new Notice.AlarmSet(0, LANE, alarm));
    }

    @Test
    void startThatTheUserRollsBackIsNotHeard() throws Exception {
        try (Connection user = TestPostgres.connect()) {
            user.setAutoCommit(false);
            sender.startWithin(user, 0, Runs.pending("a", Alarm.NOW));
            user.rollback();
        }
        assertThat(heardUpTo(sender)).isEmpty();
        assertThat(sender.current(0, "a")).isEmpty();
    }

    @Test
    void lostConnectionIsReplacedAndTheGapIsReported() throws InterruptedException {
        killListener();
        await().atMost(Duration.ofSeconds(20)).until(() -> gaps.get() == 1);
        sender.notify(List.of(new Notice.Watched(new UUID(1, 1))));
        assertThat(heardUpTo(sender)).containsExactly(new Notice.Watched(new UUID(1, 1)));
        killListener();
        await().atMost(Duration.ofSeconds(20)).until(() -> gaps.get() == 2);
    }

    private void killListener() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !TestPostgres.query(
                                "select count(pg_terminate_backend(pid)) from pg_stat_activity where query = 'listen \""
                                        + new Schema(schema).channel() + "\"'")
                        .equals("0"));
    }

    @Test
    void receiverThatFailsHearsTheNextNotice() throws Exception {
        BlockingQueue<Notice> second = new LinkedBlockingQueue<>();
        AutoCloseable failing = receiver.listen(
                notice -> {
                    second.add(notice);
                    throw new IllegalStateException("on purpose");
                },
                () -> {});
        try (failing) {
            sender.notify(List.of(new Notice.Watched(new UUID(1, 1)), new Notice.Watched(new UUID(1, 2))));
            assertThat(second.poll(20, TimeUnit.SECONDS)).isEqualTo(new Notice.Watched(new UUID(1, 1)));
            assertThat(second.poll(20, TimeUnit.SECONDS)).isEqualTo(new Notice.Watched(new UUID(1, 2)));
        }
    }

    @Test
    void closedListenerHearsNothingAndHoldsNoConnection() throws Exception {
        listening.close();
        sender.notify(List.of(new Notice.Watched(Runs.newId())));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> TestPostgres.query("select count(*) from pg_stat_activity where query = 'listen \""
                                + new Schema(schema).channel() + "\"'")
                        .equals("0"));
        assertThat(heard).isEmpty();
        assertThat(gaps).hasValue(0);
    }

    @Test
    void alarmsOfALaneAreSentAsTheEarliestOfThem() throws SQLException {
        PendingNotices pile = new PendingNotices();
        Instant early = Instant.parse("2030-01-01T00:00:00Z");
        pile.add(new Notice.AlarmSet(0, "a", early.plusSeconds(2)));
        pile.add(new Notice.AlarmSet(0, "a", early));
        pile.add(new Notice.AlarmSet(0, "a", early.plusSeconds(1)));
        pile.add(new Notice.AlarmSet(0, "b", early.plusSeconds(3)));
        pile.add(new Notice.Watched(new UUID(1, 1)));
        pile.add(new Notice.Watched(new UUID(1, 1)));
        assertThat(String.join("", pile.removeAll())
                        .lines()
                        .map(line -> NoticeCodec.decode(line).orElseThrow()))
                .containsExactly(
                        new Notice.AlarmSet(0, "a", early),
                        new Notice.AlarmSet(0, "b", early.plusSeconds(3)),
                        new Notice.Watched(new UUID(1, 1)));
        assertThat(pile.isEmpty()).isTrue();
    }

    @Test
    void noticeOfANewerVersionIsSkipped() {
        for (String foreign :
                List.of("", "Z\tx", "A", "A\tx\ty\tz", "M\tnot-a-uuid\tx", "W", "Q\tx\ty", "Q\t1", "R\tx", "%%%")) {
            assertThat(NoticeCodec.decode(foreign)).isEmpty();
        }
    }
}
