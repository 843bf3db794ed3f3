package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that comes with its interrupt flag set: on a virtual one, the next use of a socket would close it. */
@Timeout(60)
class InterruptedCallTest {
    private final String name = "interrupted-" + System.nanoTime();
    private final JvmThreads threads = new JvmThreads();
    private final Store store = new PostgresStoreProvider()
            .open(new StoreConfig(
                    TestPostgres.url() + "&ApplicationName=" + name,
                    Optional.empty(),
                    TestPostgres.newSchema(),
                    1,
                    true,
                    InstantSource.system()));

    @AfterEach
    void close() {
        store.close();
        threads.close();
    }

    /** Calls this on a thread for workflow code, whose interrupt flag is set. */
    private <T> T interrupted(Supplier<T> call) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.startCode("caller", () -> {
            Thread.currentThread().interrupt();
            try {
                T value = call.get();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                result.complete(value);
            } catch (Throwable problem) {
                result.completeExceptionally(problem);
            }
        });
        return result.get(30, TimeUnit.SECONDS);
    }

    private Set<Integer> servers() throws Exception {
        Set<Integer> servers = new TreeSet<>();
        try (Connection connection = DriverManager.getConnection(TestPostgres.url());
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("select pid from pg_stat_activity where application_name = '" + name + "'")) {
            while (rows.next()) {
                servers.add(rows.getInt(1));
            }
        }
        return servers;
    }

    @Test
    void getsItsAnswerAndKeepsItsFlagAndItsConnection() throws Exception {
        store.now(0);
        Set<Integer> before = servers();
        for (int i = 0; i < 20; i++) {
            assertThat(interrupted(() -> store.current(0, "none"))).isEmpty();
        }
        assertThat(servers()).containsAll(before);
    }
}
