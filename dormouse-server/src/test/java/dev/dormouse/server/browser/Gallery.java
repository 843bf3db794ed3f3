package dev.dormouse.server.browser;

import static org.awaitility.Awaitility.await;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.Dags;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.api.Role;
import dev.dormouse.timer.TimerOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/**
 * Servers with everything that the dashboard can show: one with runs, timers and schedules in every state, and an empty
 * one.
 */
final class Gallery implements AutoCloseable {
    static final String TOKEN = "a-token-for-the-gallery-0123456789";

    private final EmbeddedPostgres postgres;
    private final Dags dags = Dags.of(wide(), trip());
    private final Dormouse dormouse;
    private final Dormouse nothing;
    final DormouseServer full;
    final DormouseServer empty;
    final DormouseServer closed;

    Gallery() throws IOException, SQLException {
        postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        try (Dormouse before = open("reserve", Dags.of())) {
            WorkflowHandle<String> brittle = before.start("brittle", "brittle-1", String.class, "x");
            await().until(() -> brittle.describe().status() != RunStatus.PENDING
                    && brittle.describe().status() != RunStatus.RUNNING);
        }
        dormouse = open("book", dags);
        fill();
        setSqlTimers();
        nothing = Dormouse.builder().store("sqlite::memory:").open();
        full = DormouseServer.builder().dormouse(dormouse).dags(dags).port(0).start();
        empty = DormouseServer.builder().dormouse(nothing).port(0).start();
        closed = DormouseServer.builder()
                .dormouse(nothing)
                .port(0)
                .token("ada", Role.ADMIN, TOKEN)
                .start();
    }

    private Dormouse open(String step, Dags dags) {
        DormouseBuilder builder = Dormouse.builder()
                .store("jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres")
                .workflow(Order.class, Order.Code::new)
                .workflow("brittle", String.class, String.class, (ctx, text) -> {
                    ctx.step(step, () -> {});
                    ctx.sleep(Duration.ofSeconds(5));
                    return text;
                })
                .workflow("nap", String.class, String.class, (ctx, text) -> {
                    ctx.sleep(Duration.ofDays(800));
                    return text;
                })
                .remoteWorkflow("invoice")
                .workflow("hello", String.class, String.class, (ctx, name) -> "hello " + name)
                .workflow("family", String.class, String.class, (ctx, name) -> {
                    ctx.child("hello", name + "-hello", ChildOptions.DEFAULT, String.class, name)
                            .get();
                    ctx.child("nap", name + "-nap", ChildOptions.DEFAULT, String.class, name)
                            .get();
                    return name;
                })
                .workflow("charge", String.class, String.class, (ctx, card) -> {
                    RetryPolicy hourly = RetryPolicy.DEFAULT
                            .withInitialInterval(Duration.ofHours(1))
                            .withMaxInterval(Duration.ofHours(1))
                            .withJitter(0);
                    RetryPolicy policy = card.equals("lost") ? RetryPolicy.NONE : hourly;
                    ctx.step("charge-the-card", ActivityOptions.DEFAULT.withRetry(policy), () -> {
                        throw new IllegalStateException(
                                "The bank does not answer: connection to bank.example:443 timed out after 30 s, and the "
                                        + "spare connection to bank-2.example:443 was refused.");
                    });
                    return card;
                })
                .activity("book", Object.class, String.class, input -> "booked")
                .plugin(dags);
        return builder.open();
    }

    /** Returns a DAG with 200 steps in 20 columns. */
    private static Dag wide() {
        DagBuilder dag = Dag.workflow("wide");
        for (int i = 0; i < 200; i++) {
            dag = dag.sleep("step-" + i, Duration.ofHours(1));
            dag = i < 10 ? dag : dag.after("step-" + (i - 10));
        }
        return dag.build();
    }

    private static Dag trip() {
        return Dag.workflow("trip")
                .task("book-flight", "book")
                .task("book-hotel", "book")
                .approval("manager-agrees-to-the-price", Duration.ofDays(2))
                .after("book-flight", "book-hotel")
                .sleep("wait-for-the-day", Duration.ofDays(20))
                .after("manager-agrees-to-the-price")
                .build();
    }

    private void fill() {
        for (String id : new String[] {"order-1", "order-2"}) {
            Order order = dormouse.workflow(Order.class, id);
            dormouse.start(() -> order.run("lamp"));
        }
        dormouse.find("order-2", String.class).orElseThrow().signal("approve", "ida");
        dormouse.start("nap", "nap-1", String.class, "x");
        dormouse.start("nap", "customer-4711/subscription-renewal/2026-11-16T08:23:09Z/europe-west", String.class, "x");
        dormouse.start("nap", "cancelled-1", String.class, "x").cancel("not needed");
        dormouse.start("nap", "terminated-1", String.class, "x").terminate("enough");
        dormouse.start(
                "nap", "late-1", StartOptions.DEFAULT.withExecutionTimeout(Duration.ofMillis(10)), String.class, "x");
        dormouse.start("hello", "hello-1", String.class, "ada").result();
        dormouse.start("family", "family-1", String.class, "family");
        dormouse.start("charge", "charge-retried", String.class, "slow");
        dormouse.start("charge", "charge-failed", String.class, "lost");
        dormouse.start("invoice", "invoice-1", String.class, "no node has this type");
        dags.start("wide", "wide-1", Map.of());
        dags.start("trip", "trip-1", Map.of());
        dormouse.timers().handle("charge", String.class, card -> {
            throw new IllegalStateException("The bank does not answer.");
        });
        dormouse.timers().handle("expire-session", String.class, session -> {});
        dormouse.timers().after(Duration.ZERO, "charge", TimerOptions.DEFAULT.withId("charge-1"), "card-7");
        dormouse.timers().after(Duration.ofDays(800), "charge", TimerOptions.DEFAULT.withId("far"), "card-8");
        dormouse.timers().after(Duration.ZERO, "expire-session", TimerOptions.DEFAULT.withId("expired"), "s-17");
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        dormouse.schedules()
                .create(
                        "nightly-report",
                        Schedule.of(Cron.of("0 6 * * *").inZone(berlin)).withWorkflow("hello", "ada"));
        dormouse.schedules()
                .create(
                        "poll",
                        Schedule.of(new Interval(Duration.ofMinutes(15), Instant.EPOCH))
                                .withTimer("charge", "x"));
        dormouse.schedules()
                .create(
                        "leap-day",
                        Schedule.of(Cron.of("0 0 29 2 *").inZone(berlin)).withWorkflow("nap", "x"));
        dormouse.schedules().pause("leap-day", "until the new tariff is known");
        dormouse.schedules()
                .create(
                        "monthly-charge",
                        Schedule.of(Cron.of("0 7 1 * *").inZone(berlin)).withWorkflow("charge", "lost"));
        dormouse.schedules().trigger("monthly-charge");
    }

    private void setSqlTimers() throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(SqlTimerNode.script());
            statement.execute("select timers.enable_role('postgres')");
            statement.execute("select timers.schedule_in('1 hour', 'delete from sessions where id = 42')");
            statement.execute(
                    "select timers.schedule_in('2 hours', 'insert into mails (address, subject, body)"
                            + " select address, ''Your trial ends'', body from trials where ends_at < now() + interval ''1 day''')");
            // as a node that executes SQL timers writes it
            statement.execute("update timers.timers set status = 2, fired_at = now(), attempts = 1, "
                    + "error = 'relation \"trials\" does not exist', sqlstate = '42P01' where id = 2");
        }
    }

    @Override
    public void close() throws IOException {
        full.close();
        empty.close();
        closed.close();
        dormouse.close();
        nothing.close();
        postgres.close();
    }
}
