package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.Signal;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.chaos.cluster.ChaosCluster;
import dev.dormouse.chaos.cluster.LogOnFailure;
import dev.dormouse.chaos.postgres.ChaosPostgres;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Workflows started and signalled from SQL. */
@ExtendWith(LogOnFailure.class)
class SqlRequestTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    /** The input of the workflow, passed from SQL. */
    record Order(String article, int number) {}

    private static Dormouse open(ChaosCluster cluster) {
        return cluster.builder()
                .workflow("order", Order.class, String.class, (ctx, order) -> {
                    Signal paid = ctx.waitForSignal("paid", Duration.ofHours(1)).orElseThrow();
                    return order.number() + " " + order.article() + " for " + paid.value(Integer.class);
                })
                .open();
    }

    @Test
    void workflowIsStartedAndSignalledByATransaction() throws SQLException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory);
                Dormouse dormouse = open(cluster);
                Connection connection = DriverManager.getConnection(cluster.url());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(cluster.sql(
                    "select ${prefix}start_workflow('order', 'lost', '{\"article\": \"tea\", \"number\": 2}')"));
            connection.rollback();
            statement.execute(cluster.sql(
                    "select ${prefix}start_workflow('order', 'o-1', '{\"article\": \"tea\", \"number\": 2}')"));
            statement.execute(cluster.sql(
                    "select ${prefix}start_workflow('order', 'o-1', '{\"article\": \"salt\", \"number\": 9}')"));
            assertThat(dormouse.find("o-1", String.class)).isEmpty();
            connection.commit();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5)) // the sweep would come after ten seconds
                    .until(() -> dormouse.find("o-1", String.class).isPresent());
            statement.execute(cluster.sql("select ${prefix}signal_workflow('o-1', 'paid', '7')"));
            statement.execute(cluster.sql("select ${prefix}signal_workflow('nobody', 'paid', '7')"));
            connection.commit();
            WorkflowHandle<String> handle = dormouse.find("o-1", String.class).orElseThrow();
            assertThat(handle.result(PATIENCE)).isEqualTo("2 tea for 7");
            assertThat(dormouse.find("lost", String.class)).isEmpty();
        }
    }

    /** Uses the functions of SQL timers; a timer set in SQL calls a handler of this program. */
    @Test
    void sqlTimersReachWorkflowsAndHandlers() throws SQLException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory);
                Dormouse dormouse = open(cluster);
                Connection connection = DriverManager.getConnection(cluster.url());
                Statement statement = connection.createStatement()) {
            Queue<String> called = new ConcurrentLinkedQueue<>();
            dormouse.timers().handle("pack", Order.class, order -> called.add(order.number() + " " + order.article()));
            ChaosPostgres.execute("create schema if not exists timers authorization " + ChaosPostgres.ENGINE);
            try (SqlTimerNode timers = SqlTimerNode.builder()
                    .url(cluster.url())
                    .handlers(dormouse.timers(), "pack")
                    .open()) {
                assertThat(timers).isNotNull();
                statement.execute("update timers.settings set engine_schema = '" + cluster.schema() + "'");
                statement.execute(
                        "select timers.start_workflow('order', 'o-2', '{\"article\": \"tea\", \"number\": 3}')");
                statement.execute("select timers.schedule_in('100 milliseconds', "
                        + "$$select timers.signal_workflow('o-2', 'paid', '9')$$)");
                statement.execute("select timers.schedule_handler(clock_timestamp(), 'pack', "
                        + "'{\"article\": \"salt\", \"number\": 5}')");
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> dormouse.find("o-2", String.class).isPresent());
                assertThat(dormouse.find("o-2", String.class).orElseThrow().result(PATIENCE))
                        .isEqualTo("3 tea for 9");
                Awaitility.await().atMost(PATIENCE).until(() -> called.contains("5 salt"));
                statement.execute("update timers.settings set engine_schema = 'nowhere'");
                assertThatThrownBy(() -> statement.execute("select timers.start_workflow('order', 'x')"))
                        .hasMessageContaining("Expected a Dormouse engine in schema nowhere");
            }
        }
    }

    @Test
    void badRequestsAreRefusedAtOnce() throws SQLException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory);
                Dormouse dormouse = open(cluster);
                Connection connection = DriverManager.getConnection(cluster.url());
                Statement statement = connection.createStatement()) {
            assertThat(dormouse).isNotNull();
            for (String call : new String[] {
                "start_workflow(null, 'x')",
                "start_workflow('', 'x')",
                "start_workflow(E'a\\nb', 'x')",
                "start_workflow('order', null)",
                "start_workflow('order', '')",
                "start_workflow('order', '!x')",
                "start_workflow('order', '%x')",
                "start_workflow('!handler', 'x')",
                "start_workflow('#Bank.pay', 'x')",
                "start_workflow('order', repeat('x', 501))",
                "signal_workflow('x', null)",
                "signal_workflow(null, 'x')"
            }) {
                assertThatThrownBy(() -> statement.execute(cluster.sql("select ${prefix}" + call)))
                        .as(call)
                        .hasMessageContaining("Expected a");
            }
        }
    }

    @Test
    void otherRolesNeedAGrant() throws SQLException {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory)) {
            cluster.createTables();
            ChaosPostgres.execute("drop role if exists stranger");
            ChaosPostgres.execute("create role stranger login password 'secret'");
            String url = ChaosPostgres.url("stranger", ChaosPostgres.port());
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute(cluster.sql("select ${prefix}start_workflow('order', 'x')")))
                        .hasMessageContaining("permission denied");
            }
        }
    }
}
