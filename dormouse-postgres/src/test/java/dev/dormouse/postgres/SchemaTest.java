package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.jdbc.Migrations;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {

    private static StoreConfig withoutMigrating(String schema) {
        return new StoreConfig(TestPostgres.url(), Optional.empty(), schema, 1, false, InstantSource.system());
    }

    private static void assertFails(ErrorCode code, StoreConfig config) {
        assertThatThrownBy(() -> new PostgresStoreProvider().open(config))
                .isInstanceOfSatisfying(
                        DormouseException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageStartingWith("[" + code.label() + "] Expected ");
    }

    @Test
    void manyNodesThatStartAtOnceOnAnEmptySchemaCreateTheTablesOnce() throws Exception {
        int nodes = 8;
        String schema = TestPostgres.newSchema();
        CyclicBarrier together = new CyclicBarrier(nodes);
        ExecutorService threads = Executors.newFixedThreadPool(nodes);
        List<CompletableFuture<Store>> stores = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            stores.add(CompletableFuture.supplyAsync(() -> openTogether(schema, together), threads));
        }
        for (CompletableFuture<Store> store : stores) {
            store.get().close();
        }
        threads.shutdown();
        assertThat(TestPostgres.query("select count(*) from " + schema + ".schema_version"))
                .isEqualTo(Integer.toString(new Schema(schema).migrations().latest()));
    }

    private static Store openTogether(String schema, CyclicBarrier together) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return TestPostgres.open(schema);
    }

    @Test
    void newerSchemaIsAClearError() {
        String schema = TestPostgres.newSchema();
        TestPostgres.open(schema).close();
        TestPostgres.execute(
                TestPostgres.engine(),
                "insert into " + schema + ".schema_version (version, name) values (99, 'later')");
        assertFails(ErrorCode.SCHEMA_TOO_NEW, withoutMigrating(schema));
        assertThatThrownBy(() -> TestPostgres.open(schema)).hasMessageStartingWith("[DM2002] Expected ");
    }

    @Test
    void databaseOfTheFirstVersionIsUpgradedWithItsRows() throws SQLException {
        String name = TestPostgres.newSchema();
        Schema schema = new Schema(name);
        try (Connection connection = TestPostgres.connect()) {
            Migrations.of(Schema.class, "V1__run.sql").apply(connection, schema.dialect(), true);
        }
        UUID runId = Runs.newId();
        TestPostgres.execute(TestPostgres.engine(), """
                insert into SCHEMA.meta values ('shards', '1');
                insert into SCHEMA.run (shard, run_id, workflow_id, type, lane, owner, status, lease, wake_at, wake_reason,
                    next_seq, checksum, current, created_at, refused, trouble)
                values (0, 'RUN', 'a', 'Order', 'order', 'node', 1, 7, 4000000000000000, 1, 1, 1, true, 1, '', '');
                insert into SCHEMA.history (shard, run_id, seq, events, at, checksum, payload)
                values (0, 'RUN', 0, 1, 1, 1, '');
                """.replace("SCHEMA", name).replace("RUN", runId.toString()));
        assertFails(ErrorCode.SCHEMA_MISSING, withoutMigrating(name));
        try (Store store = TestPostgres.open(name)) {
            assertThat(store.current(0, "a").orElseThrow().runId()).isEqualTo(runId);
            store.note(0, List.of(new Note(runId, 7, 1, 1, new byte[1])));
            assertThat(store.notes(0, runId)).hasSize(1);
            assertThat(store.define(0, "a", 1, new byte[1])).isTrue();
            Commit step = new Commit(
                    runId, Fence.of(7, 1), Runs.events(1), 0, NextState.closed(RunStatus.COMPLETED), List.of());
            assertThat(store.commit(0, List.of(step))).hasOnlyElementsOfType(CommitOutcome.Committed.class);
        }
        TestPostgres.open(name).close();
        assertThat(TestPostgres.query("select string_agg(name, ' ' order by version) from " + name + ".schema_version"))
                .isEqualTo("run note queues requests events pages recovery append");
    }

    /** Earlier nodes would read histories that are not in their table, so they must be gone. */
    @Test
    void schemaIsNotUpgradedUnderRunningNodesOfAnEarlierVersion() throws SQLException {
        String name = TestPostgres.newSchema();
        Schema schema = new Schema(name);
        try (Connection connection = TestPostgres.connect()) {
            Migrations.of(
                            Schema.class,
                            "V1__run.sql",
                            "V2__note.sql",
                            "V3__queues.sql",
                            "V4__requests.sql",
                            "V5__events.sql",
                            "V6__pages.sql",
                            "V7__recovery.sql")
                    .apply(connection, schema.dialect(), true);
        }
        TestPostgres.execute(TestPostgres.engine(), """
                insert into SCHEMA.node (shard, node_id, build, lanes, started_at, seen_at)
                values (0, 'orders-1', 'b', '{}', 1, (extract(epoch from statement_timestamp()) * 1000000)::int8)
                """.replace("SCHEMA", name));
        assertThatThrownBy(() -> TestPostgres.open(name))
                .hasMessageStartingWith("[DM2013] Expected ")
                .hasMessageContainingAll("orders-1", "Stop these nodes");
        assertThat(TestPostgres.query("select max(version) from " + name + ".schema_version"))
                .isEqualTo("7");
        TestPostgres.execute(
                TestPostgres.engine(), "update " + name + ".node set seen_at = seen_at - 31 * 1000000::int8");
        TestPostgres.open(name).close();
        assertThatThrownBy(() -> TestPostgres.query("select next_seq from " + name + ".run"))
                .as("a statement of an earlier version")
                .rootCause()
                .hasMessageContaining("next_seq");
    }

    @Test
    void missingTablesAreAClearErrorWhereNothingMayBeChanged() {
        String schema = TestPostgres.newSchema();
        assertFails(ErrorCode.SCHEMA_MISSING, withoutMigrating(schema));
        assertFails(ErrorCode.SCHEMA_MISSING, withoutMigrating("not there at all"));
        assertThat(TestPostgres.query("select count(*) from pg_tables where schemaname = '" + schema + "'"))
                .isEqualTo("0");
    }

    @Test
    void printedSqlCreatesTheTablesByHand() {
        String name = "made by \"hand\"";
        TestPostgres.execute(
                TestPostgres.admin(),
                PostgresStoreProvider.schemaSql(name) + """
                        ;
                        grant usage on schema SCHEMA to engine;
                        grant select, insert, update, delete on all tables in schema SCHEMA to engine
                        """.replace("SCHEMA", new Schema(name).quoted()));
        try (Store store = new PostgresStoreProvider().open(withoutMigrating(name))) {
            assertThat(store.start(0, List.of(Runs.leased("a", 7)))).hasOnlyElementsOfType(StartOutcome.Started.class);
        }
    }

    @Test
    void numberOfShardsIsFixedByTheFirstStoreThatOpens() {
        String schema = TestPostgres.newSchema();
        TestPostgres.open(schema, 16).close();
        try (Store store = TestPostgres.open(schema, 4)) {
            assertThat(store.shards()).isEqualTo(16);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Dor Mouse",
                "it's \"quoted\"",
                "?::text ${now} $1 {fn} --",
                "semi;colon",
                "ümläut-\uD83D\uDC2D",
                "a-name-that-is-exactly-as-long-as-postgresql-allows-it-to-be-63"
            })
    void schemaMayHaveAnOddName(String name) throws Exception {
        TestPostgres.createSchema(name);
        List<String> heard = new ArrayList<>();
        try (Store store = TestPostgres.open(name);
                AutoCloseable listening = store.listen(notice -> heard.add(notice.toString()), () -> {})) {
            assertThat(store.start(0, List.of(Runs.pending("a", Alarm.NOW))))
                    .hasOnlyElementsOfType(StartOutcome.Started.class);
            assertThat(store.list(0, RunFilter.ALL, Optional.empty(), 10).runs())
                    .hasSize(1);
        }
        TestPostgres.open(name).close();
    }
}
