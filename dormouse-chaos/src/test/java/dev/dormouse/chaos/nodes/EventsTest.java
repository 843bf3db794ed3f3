package dev.dormouse.chaos.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.chaos.cluster.ChaosCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events on real stores. */
class EventsTest {
    private static final int RUNS = 200;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private ChaosCluster cluster(String store) {
        return store.equals("SQLite") ? ChaosCluster.onSqlite(directory) : ChaosCluster.onPostgres(directory);
    }

    /** Registers a workflow that returns the event published with its input as id, or that there was none. */
    private static DormouseBuilder waiting(DormouseBuilder builder) {
        return builder.workflow(
                "wait",
                Integer.class,
                String.class,
                (ctx, id) -> ctx.waitForEvent("paid", Map.of("order.id", id, "shop", "north"), MINUTE)
                        .map(event -> String.valueOf(event.payload(new TypeRef<Map<String, Object>>() {})))
                        .orElse("nothing"));
    }

    private static Map<String, Object> paid(int id, String shop) {
        return Map.of("order", Map.of("id", id), "shop", shop);
    }

    @Test
    void eventsFindTheirRunsOnOtherNodes() {
        try (ChaosCluster cluster = ChaosCluster.onPostgres(directory);
                Dormouse one = waiting(cluster.builder()).open();
                Dormouse two = waiting(cluster.builder()).open()) {
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                handles.add((i % 2 == 0 ? one : two).start("wait", "w" + i, String.class, i));
                two.publish("paid", paid(i, "south"));
                one.publish("paid", paid(i, "north"));
            }
            for (int i = 0; i < RUNS; i++) {
                assertThat(handles.get(i).result(MINUTE)).contains("id=" + i, "shop=north");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SQLite", "PostgreSQL"})
    void eventInATransactionIsPublishedWhenThatCommits(String store) throws SQLException {
        try (ChaosCluster cluster = cluster(store);
                Dormouse dormouse = waiting(cluster.builder()).open();
                Connection connection = DriverManager.getConnection(cluster.url())) {
            connection.setAutoCommit(false);
            WorkflowHandle<String> handle = dormouse.start("wait", "w", String.class, 7);
            dormouse.within(connection).publish("paid", Map.of("order", Map.of("id", 7), "shop", "north", "n", 1));
            connection.rollback();
            dormouse.within(connection).publish("paid", Map.of("order", Map.of("id", 7), "shop", "north", "n", 2));
            connection.commit();
            assertThat(handle.result(MINUTE)).contains("n=2");
        }
    }
}
