package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.RetryPolicy;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.internal.thread.Threads;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Timers that call a handler of a program instead of running SQL. */
@Timeout(120)
@Tag("once")
class SqlTimerHandlerTest {
    private final TimersDatabase database = TimersDatabase.create();
    private final List<SqlTimerCall> calls = new CopyOnWriteArrayList<>();

    private long schedule(String handler, String in, String payload) {
        return Long.parseLong(database.query(
                WEB,
                "select timers.schedule_handler(clock_timestamp() + interval '" + in + "', '" + handler + "', '"
                        + payload + "')"));
    }

    @Test
    void handlerGetsThePayloadOnTimeAndOthersAreLeftAlone() {
        try (SqlTimerNode node = database.node().handler("mail", calls::add).open()) {
            long unknown = schedule("fax", "0", "{}");
            long id = schedule("mail", "300 ms", "{\"to\": \"ada\"}");
            database.awaitStatus(id, 1);
            assertThat(calls).containsExactly(new SqlTimerCall("mail", id, 0, 1, Optional.of("{\"to\": \"ada\"}")));
            assertThat(database.status(unknown)).isZero();
            assertThat(database.column("attempts", unknown)).isEqualTo("0");
            assertThat(database.column("fired_at >= fire_at", id)).isEqualTo("t");
        }
    }

    @Test
    void handlerThatThrowsIsCalledAgain() {
        SqlTimerHandler flaky = call -> {
            calls.add(call);
            if (call.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
        };
        try (SqlTimerNode node = database.node().handler("flaky", flaky).open()) {
            long id = schedule("flaky", "0", "1");
            database.awaitStatus(id, 1);
            assertThat(calls).extracting(SqlTimerCall::attempt).containsExactly(1, 2, 3);
            assertThat(database.column("error", id)).isNull();
        }
    }

    @Test
    void runningHandlerCannotBeCancelledAndKeepsItsLease() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        SqlTimerHandler slow = call -> {
            calls.add(call);
            begun.countDown();
            end.await(60, TimeUnit.SECONDS);
        };
        try (SqlTimerNode one = database.node()
                        .lease(Duration.ofMillis(500))
                        .handler("slow", slow)
                        .open();
                SqlTimerNode other = database.node()
                        .lease(Duration.ofMillis(500))
                        .handler("slow", slow)
                        .open()) {
            long id = schedule("slow", "0", "1");
            begun.await(60, TimeUnit.SECONDS);
            assertThat(database.query(WEB, "select timers.cancel(" + id + ")")).isEqualTo("f");
            database.query(ADMIN, "select pg_sleep(1.5)");
            assertThat(calls).hasSize(1);
            end.countDown();
            database.awaitStatus(id, 1);
            assertThat(calls).hasSize(1);
        }
    }

    @Test
    void handlersTimerOfANodeThatDiedIsTakenOverAfterItsLease() {
        long id = schedule("mail", "0", "1");
        database.execute(NODE, "select * from timers._claim('{mail}', 10, 77, 1000)"); // and then it died
        try (SqlTimerNode node = database.node().handler("mail", calls::add).open()) {
            database.awaitStatus(id, 1);
            assertThat(calls).extracting(SqlTimerCall::attempt).containsExactly(2);
        }
    }

    @Test
    void manyHandlersOnTwoNodesAreCalledOnceEach() {
        ConcurrentMap<Long, Integer> times = new ConcurrentHashMap<>();
        SqlTimerHandler count = call -> times.merge(call.id(), 1, Integer::sum);
        try (SqlTimerNode one = database.node().handler("count", count).open();
                SqlTimerNode other = database.node().handler("count", count).open()) {
            database.execute(
                    WEB,
                    "select timers.schedule_handler(clock_timestamp() + random() * interval '1 s', 'count') "
                            + "from generate_series(1, 500)");
            database.awaitQuery("select count(*) from timers.timers where status = 1", "500");
        }
        assertThat(times).hasSize(500);
        assertThat(times.values()).containsOnly(1);
    }

    @Test
    void attemptsPausesAndParallelismCanBeSet() {
        SqlTimerHandler failing = call -> {
            calls.add(call);
            throw new IllegalStateException("never");
        };
        RetryPolicy policy = RetryPolicy.DEFAULT
                .withInitialInterval(Duration.ofMillis(10))
                .withMaxAttempts(3)
                .withNonRetryable(IOException.class);
        try (SqlTimerNode node = database.node()
                .handlerRetry(policy)
                .handlersAtOnce(1)
                .handler("failing", failing)
                .handler("hopeless", call -> {
                    calls.add(call);
                    throw new IOException("forever");
                })
                .open()) {
            long id = schedule("failing", "0", "1");
            database.awaitStatus(id, 2);
            assertThat(calls).extracting(SqlTimerCall::attempt).containsExactly(1, 2, 3);
            assertThat(database.column("error", id)).contains("never");
            long hopeless = schedule("hopeless", "0", "1");
            database.awaitStatus(hopeless, 2);
            assertThat(database.column("attempts", hopeless)).isEqualTo("1");
        }
    }

    @Test
    void handlerThatRecursTooDeeplyFailsAndIsCalledAgain() {
        SqlTimerHandler deep = call -> {
            calls.add(call);
            if (call.attempt() == 1) {
                throw new StackOverflowError();
            }
        };
        try (SqlTimerNode node = database.node().handler("deep", deep).open()) {
            long id = schedule("deep", "0", "1");
            database.awaitStatus(id, 1);
            assertThat(calls).hasSize(2);
        }
    }

    @Test
    void callThatGetsNoThreadIsMadeLater() {
        AtomicInteger refused = new AtomicInteger();
        JvmThreads real = new JvmThreads();
        Threads scarce = (Threads) Proxy.newProxyInstance(
                Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("startCode")
                            && Set.of("timers-handler", "timers-alone").contains(arguments[0])
                            && refused.getAndIncrement() < 3) {
                        throw new RejectedExecutionException("no thread");
                    }
                    return method.invoke(real, arguments);
                });
        try (SqlTimerNode node = database.node()
                .threads(scarce)
                .lease(Duration.ofSeconds(1))
                .aloneAtOnce(1)
                .handler("mail", calls::add)
                .open()) {
            long id = schedule("mail", "0", "1");
            database.awaitStatus(id, 1);
            refused.set(0);
            long failing = database.schedule(WEB, "0", "select 1/0");
            database.awaitStatus(failing, 2);
        }
        real.close();
    }

    @Test
    void fireMakesAHandlersTimerDueAtOnce() {
        try (SqlTimerNode node = database.node().handler("mail", calls::add).open()) {
            long id = schedule("mail", "1 day", "1");
            assertThat(database.query(WEB, "select timers.fire(" + id + ")")).isEqualTo("t");
            database.awaitStatus(id, 1);
        }
    }
}
