package dev.dormouse.postgres;

import static dev.dormouse.postgres.Runs.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.Dormouse;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

/** The server's name leads to a standby for a while: connections to it do not outlive that. */
@Tag("once")
@Timeout(120)
class ReadOnlyServerTest {
    private static final String SCHEMA = "dormouse";
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private static Path directory;

    private static StandbyPair servers;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Cable name;
    private volatile boolean isAstray;

    @BeforeAll
    static void startServers() throws IOException, SQLException {
        servers = StandbyPair.start(directory, SCHEMA);
    }

    @AfterAll
    static void stopServers() throws IOException {
        servers.close();
    }

    @BeforeEach
    void prepare() throws IOException {
        name = new Cable(servers.primaryPort());
        log.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(log);
    }

    @AfterEach
    void cleanUp() throws IOException {
        logger().detachAppender(log);
        logger().setLevel(null);
        name.close();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.dormouse");
    }

    private String url() {
        return "jdbc:postgresql://localhost:" + name.port() + "/postgres?user=postgres";
    }

    private Store open() {
        return new PostgresStoreProvider()
                .open(new StoreConfig(url(), Optional.empty(), SCHEMA, 1, true, InstantSource.system()));
    }

    private DataSource plain() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url());
        return source;
    }

    /** Keeps all pools busy while the name leads to the standby; what is connected to it then stays connected. */
    private void leadAstray(Store store) throws IOException {
        isAstray = true;
        name.leadTo(servers.standbyPort());
        name.cutAll();
        List<CompletableFuture<?>> busy = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            busy.add(CompletableFuture.runAsync(() -> {
                while (isAstray) {
                    tryEverything(store);
                }
            }));
        }
        await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
        isAstray = false;
        name.leadTo(servers.primaryPort());
        busy.forEach(CompletableFuture::join);
    }

    private static boolean tryEverything(Store store) {
        Start start = Runs.leased("wf-" + Runs.newId(), 7);
        boolean started = store.start(0, List.of(start)).get(0) instanceof StartOutcome.Started;
        boolean committed = store.commit(0, List.of(Runs.step(start))).get(0) instanceof CommitOutcome.Committed;
        boolean renewed = renew(store);
        boolean transacted = transact(store);
        return started && committed && renewed && transacted;
    }

    private static boolean renew(Store store) {
        try {
            store.renew(0, List.of(), LEASE);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private static boolean transact(Store store) {
        Start start = Runs.leased("wf-" + Runs.newId(), 7);
        if (!(store.start(0, List.of(start)).get(0) instanceof StartOutcome.Started)) {
            return false;
        }
        try (StoreTransaction transaction = store.begin(0)) {
            return transaction.commit(Runs.step(start)) instanceof CommitOutcome.Committed;
        } catch (StoreException e) {
            return false;
        }
    }

    private static void assertWorksSoon(Store store) {
        await().atMost(SOON).until(() -> tryEverything(store));
        for (int i = 0; i < 50; i++) {
            assertThat(tryEverything(store)).as("attempt %s", i).isTrue();
        }
    }

    /** Outages are reported by the engine, which is not used here. */
    private void assertNothingLogged() {
        assertThat(log.list).isEmpty();
    }

    @Test
    void nodeWithAUrlWorksAgainWhenTheNameLeadsToThePrimaryAgain() throws IOException {
        try (Store store = open()) {
            assertThat(tryEverything(store)).isTrue();
            leadAstray(store);
            assertWorksSoon(store);
            assertNothingLogged();
        }
    }

    @Test
    void outageIsReportedOnceByTheEngine() throws IOException {
        try (Dormouse dormouse = Dormouse.builder().store(url()).schema(SCHEMA).open()) {
            name.leadTo(servers.standbyPort());
            name.cutAll();
            await().atMost(SOON).until(() -> isReadOnly(dormouse));
            name.leadTo(servers.primaryPort());
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> dormouse.outages().isEmpty());
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.contains("read") || line.contains("written"))
                    .filteredOn(line -> !line.startsWith("The store cannot be reached"))
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line)
                                    .startsWith("The store can only be read. ")
                                    .contains("standby"),
                            line -> assertThat(line).startsWith("The store can be written again, after "));
        }
    }

    private static boolean isReadOnly(Dormouse dormouse) {
        return dormouse.outages().stream().anyMatch(outage -> outage.trouble() == StoreTrouble.READ_ONLY);
    }

    @Test
    void nodeWithAUsersPoolWorksAgainAndSoDoesThePool() throws IOException, SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(plain());
            pool.setMaximumPoolSize(12);
            pool.setConnectionTimeout(1_000);
            try (Store store = TestPostgres.open(SCHEMA, pool)) {
                assertThat(tryEverything(store)).isTrue();
                leadAstray(store);
                assertWorksSoon(store);
                assertNothingLogged();
            }
        }
    }

    @Test
    void nodeWithADataSourceThatIsNotAPoolWorksAgain() throws IOException {
        try (Store store = TestPostgres.open(SCHEMA, plain())) {
            assertThat(tryEverything(store)).isTrue();
            leadAstray(store);
            assertWorksSoon(store);
        }
    }

    @Test
    void openingAStoreOnAStandbyIsAClearError() {
        name.leadTo(servers.standbyPort());
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                .hasMessageStartingWith("[DM2005] Expected ")
                .hasMessageContaining("standby");
    }

    /** A connection whose server turns read-only, which a pooler can do to any connection. */
    @Test
    void connectionThatTurnsReadOnlyIsReplaced() {
        try (Store store = open()) {
            assertThat(tryEverything(store)).isTrue();
            TestPostgres.execute(servers.primary(), """
                    create table public.bad as
                      select pid from pg_stat_activity where application_name = 'dormouse';
                    create function public.refuse() returns trigger language plpgsql as $$ begin
                      if exists (select from public.bad where pid = pg_backend_pid()) then
                        raise sqlstate '25006' using message = 'cannot execute INSERT in a read-only transaction';
                      end if;
                      return null; end $$;
                    create trigger refuse before insert on dormouse.run for each statement
                      execute function public.refuse()
                    """);
            assertThat(store.start(0, List.of(Runs.leased("refused", 7))).get(0))
                    .isInstanceOf(StartOutcome.Unknown.class);
            assertWorksSoon(store);
            assertNothingLogged();
        } finally {
            TestPostgres.execute(servers.primary(), "drop table public.bad; drop function public.refuse() cascade");
        }
    }
}
