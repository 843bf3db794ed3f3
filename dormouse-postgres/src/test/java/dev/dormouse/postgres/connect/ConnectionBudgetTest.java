package dev.dormouse.postgres.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.Dormouse;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.postgres.Runs;
import dev.dormouse.postgres.TestPostgres;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's DataSource with few connections: it is enough for everything, or the store is not opened. */
@Tag("once")
@Timeout(60)
class ConnectionBudgetTest {

    private static HikariDataSource pool(int most) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(TestPostgres.engine());
        pool.setMaximumPoolSize(most);
        pool.setConnectionTimeout(2_000);
        return pool;
    }

    /** An unknown kind of pool, in which a borrower waits until a connection is given back. */
    private static DataSource waitingPool(int most) {
        Semaphore room = new Semaphore(most, true);
        DataSource source = TestPostgres.engine();
        return (DataSource) Proxy.newProxyInstance(
                ConnectionBudgetTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> {
                    if (!method.getName().equals("getConnection")) {
                        return method.getName().equals("isWrapperFor") ? false : method.invoke(source, args);
                    }
                    room.acquire();
                    return releasing(source.getConnection(), room);
                });
    }

    private static Connection releasing(Connection connection, Semaphore room) {
        return (Connection) Proxy.newProxyInstance(
                ConnectionBudgetTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("close") && !connection.isClosed()) {
                        connection.close();
                        room.release();
                        return null;
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static void assertRefused(DataSource source, String reason) {
        assertThatThrownBy(() -> TestPostgres.open(TestPostgres.newSchema(), source))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_FEW_CONNECTIONS))
                .hasMessageStartingWith("[DM2011] Expected a DataSource with at least 6 connections")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void poolThatIsTooSmallIsRefusedWithTheNumber(int most) {
        try (HikariDataSource pool = pool(most)) {
            assertRefused(pool, "its maximumPoolSize is " + most);
        }
    }

    @Test
    void poolOfOneWithUnknownSizeIsRefusedWithTheNumber() {
        assertRefused(waitingPool(1), "it gave 1 at once and no more within 10 s");
    }

    @Test
    void poolOfOneWhoseConnectionIsInUseIsRefusedWithTheNumber() throws SQLException {
        try (HikariDataSource pool = pool(1);
                Connection used = pool.getConnection()) {
            assertThat(used.isValid(1)).isTrue();
            assertThatThrownBy(() -> Dormouse.builder().store(pool).open())
                    .hasMessageStartingWith("[DM2011] Expected a DataSource with at least 6 connections")
                    .hasMessageContaining("its maximumPoolSize is 1");
        }
    }

    @Test
    void poolWithUnknownSizeIsProbed() {
        assertRefused(waitingPool(4), "it gave 4 at once and no more within 10 s");
        try (Store store = TestPostgres.open(TestPostgres.newSchema(), waitingPool(6))) {
            useEverything(store);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 8, 9})
    void everythingWorksAtOnceWithFewConnections(int most) throws Exception {
        try (HikariDataSource pool = pool(most);
                Store store = TestPostgres.open(TestPostgres.newSchema(), pool);
                AutoCloseable listening = store.listen(notice -> {}, () -> {})) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < 20; n++) {
                        useEverything(store);
                    }
                }));
            }
            all.forEach(CompletableFuture::join);
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(most);
        }
    }

    private static void useEverything(Store store) {
        Start start = Runs.leased("wf-" + Runs.newId(), 7);
        assertThat(store.start(0, List.of(start))).hasOnlyElementsOfType(StartOutcome.Started.class);
        store.renew(0, List.of(), Runs.LEASE);
        try (StoreTransaction transaction = store.begin(0)) {
            assertThat(transaction.commit(Runs.step(start))).isInstanceOf(CommitOutcome.Committed.class);
        }
    }
}
