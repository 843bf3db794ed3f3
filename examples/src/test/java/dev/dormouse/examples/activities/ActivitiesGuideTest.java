package dev.dormouse.examples.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.examples.tutorial.ConsolePost;
import dev.dormouse.examples.tutorial.Post;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.testing.TestDormouse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/activities.md quotes. */
class ActivitiesGuideTest {
    @ActivityInterface
    interface Bank {
        String pay(String account, int cents) throws IOException;
    }

    private final List<String> log = new ArrayList<>();

    /** The call returns only when the activity has returned. */
    @Test
    void letterIsSent() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Billing.class, BillingWorkflow::new)
                .activities(Post.class, new ConsolePost())
                .open()) {
            dormouse.workflow(Billing.class, "bill-1").run("ada");
        }
    }

    private static final ActivityOptions CAREFUL = ActivityOptions.DEFAULT
            .withRetry(RetryPolicy.DEFAULT.withMaxAttempts(5).withNonRetryable(IllegalArgumentException.class))
            .withAttemptTimeout(Duration.ofSeconds(20));

    private String invoice(WorkflowContext ctx, String account) {
        Bank bank = ctx.activities(Bank.class, CAREFUL);
        try {
            return bank.pay(account, 995);
        } catch (ActivityFailedException failed) {
            return "gave up after " + failed.attempts() + ": "
                    + failed.getCause().getMessage();
        } catch (IOException never) {
            throw new IllegalStateException(never);
        }
    }

    private String paid(String account, int cents) throws IOException {
        log.add(Activity.info().attempt() + " " + account);
        if (account.equals("closed")) {
            throw ActivityFailedException.nonRetryable("the account is closed");
        }
        if (account.equals("busy")) {
            throw ActivityFailedException.retryAfter(Duration.ofMinutes(10), new IOException("come back later"));
        }
        return Activity.idempotencyKey();
    }

    @Test
    void failuresAreRetriedByThePolicy() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("invoice", String.class, String.class, this::invoice)
                        .activities(Bank.class, this::paid))) {
            Dormouse dormouse = test.dormouse();
            WorkflowHandle<String> busy = dormouse.start("invoice", "i-1", String.class, "busy");
            test.advance(Duration.ofMinutes(15));
            StepDescription step = busy.describe().steps().get(0);
            assertThat(step.attempt()).isEqualTo(2);
            assertThat(step.lastFailure().orElseThrow()).contains("come back later");
            assertThat(busy.result()).startsWith("gave up after 5");
            assertThat(dormouse.start("invoice", "i-2", String.class, "closed").result())
                    .startsWith("gave up after 1: ")
                    .endsWith("the account is closed");
            assertThat(dormouse.start("invoice", "i-3", String.class, "ada").result())
                    .endsWith("/Bank.pay/1");
        }
    }

    private String copy(WorkflowContext ctx, Integer files) {
        ActivityOptions watched = ActivityOptions.DEFAULT.withHeartbeatTimeout(Duration.ofMinutes(1));
        return ctx.step("copy", watched, String.class, () -> {
            int done = Activity.lastHeartbeat(Integer.class).orElse(0);
            for (; done < files; done++) {
                log.add("file " + done);
                Activity.heartbeat(done + 1);
            }
            return "copied";
        });
    }

    private String report(WorkflowContext ctx, String id) {
        return ctx.step("fetch", String.class, () -> {
            int looks = Activity.lastCheckpoint(Integer.class).orElse(0);
            if (looks < 3) {
                Activity.checkpoint(looks + 1);
                return Activity.pause("report is not ready", Duration.ofMinutes(30));
            }
            return "report of " + id;
        });
    }

    private String contract(WorkflowContext ctx, String customer) {
        return ctx.step(
                "signature", ActivityOptions.DEFAULT.withTotalTimeout(Duration.ofDays(14)), String.class, () -> {
                    String token = Activity.completeLater();
                    log.add(token);
                    return "";
                });
    }

    @Test
    void heartbeatsPausesAndTokens() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("copy", Integer.class, String.class, this::copy)
                        .workflow("report", String.class, String.class, this::report)
                        .workflow("contract", String.class, String.class, this::contract))) {
            Dormouse dormouse = test.dormouse();
            assertThat(dormouse.start("copy", "c", String.class, 3).result()).isEqualTo("copied");
            assertThat(dormouse.start("report", "r", String.class, "may").result())
                    .isEqualTo("report of may");
            assertThat(test.elapsed()).isEqualTo(Duration.ofMinutes(90));
            log.clear();
            WorkflowHandle<String> contract = dormouse.start("contract", "k", String.class, "ada");
            test.advance(Duration.ofDays(3));
            String token = log.get(0);

            dormouse.completeActivity(token, "signed by ada");

            assertThat(contract.result()).isEqualTo("signed by ada");
        }
    }

    private static String book(WorkflowContext ctx, String order) {
        return ctx.transaction("book", String.class, connection -> {
            try (PreparedStatement insert = connection.prepareStatement("insert into booking values (?)")) {
                insert.setString(1, order);
                insert.executeUpdate();
            }
            return "booked " + order;
        });
    }

    @Test
    void rowsAndResultAreCommittedTogether(@TempDir java.nio.file.Path folder) throws SQLException {
        String file = folder.resolve("shop.db").toString();
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + file)
                .workflow("order", String.class, String.class, (ctx, order) -> {
                    ctx.transaction("table", connection -> {
                        try (Statement create = connection.createStatement()) {
                            create.execute("create table booking (id text)");
                        }
                    });
                    return book(ctx, order);
                })
                .open()) {
            assertThat(dormouse.start("order", "o-1", String.class, "o-1").result())
                    .isEqualTo("booked o-1");
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from booking")) {
            assertThat(rows.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void queueLimitsWhatItHolds() {
        DormouseBuilder builder = Dormouse.builder()
                .queue("bank", QueueOptions.DEFAULT.withMaxTotal(5).withRate(100, Duration.ofSeconds(1)))
                .store("sqlite::memory:")
                .workflow("invoice", String.class, String.class, (ctx, account) -> {
                    ActivityOptions inQueue =
                            ActivityOptions.DEFAULT.withQueue("bank").withPriority(5);
                    return ctx.activities(Bank.class, inQueue).pay(account, 995);
                })
                .activities(Bank.class, this::paid);
        try (Dormouse dormouse = builder.open()) {
            assertThat(dormouse.start("invoice", "i", String.class, "ada").result())
                    .endsWith("/Bank.pay/1");
        }
    }

    private static String invite(WorkflowContext ctx, String customer) {
        ctx.step("order", () -> {
            Activity.dormouse().start("order", "order-" + customer, String.class, customer);
        });
        return "invited";
    }

    @Test
    void activityStartsAWorkflow() {
        try (TestDormouse test = TestDormouse.open(
                builder -> builder.workflow("invite", String.class, String.class, ActivitiesGuideTest::invite)
                        .workflow("order", String.class, String.class, (ctx, customer) -> "order of " + customer))) {
            Dormouse dormouse = test.dormouse();
            assertThat(dormouse.start("invite", "i", String.class, "ada").result())
                    .isEqualTo("invited");
            assertThat(dormouse.handle("order-ada", String.class).result()).isEqualTo("order of ada");
        }
    }

    @Test
    void resultsMayBeCommittedTogether() {
        DormouseBuilder builder = Dormouse.builder()
                .workflow("import", Durability.BATCHED, Integer.class, String.class, this::importRows)
                .store("sqlite::memory:");
        try (Dormouse dormouse = builder.open()) {
            assertThat(dormouse.start("import", "i", String.class, 100).result())
                    .isEqualTo("100 rows");
        }
    }

    private String importRows(WorkflowContext ctx, int rows) {
        for (int row = 1; row <= rows; row++) {
            int number = row;
            ctx.step("row", () -> log.add("row " + number));
        }
        return rows + " rows";
    }
}
