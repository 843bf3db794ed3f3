package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Tests that every statement of a package finds its rows by an index, in the order it needs: without a table scan and
 * without a sort. A subclass lists the statements in a static field {@code STATEMENTS}.
 */
public abstract class QueryPlans {
    @TempDir
    Path directory;

    private Store store;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        Path file = directory.resolve("trial.db");
        store = Stores.open(file);
        connection = Stores.connect(file);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        store.close();
    }

    protected List<String> plan(String sql) throws SQLException {
        return new SqlSession(connection).call("explain query plan " + sql).all(row -> row.getString("detail"));
    }

    @ParameterizedTest
    @FieldSource("STATEMENTS")
    void statementSearchesAndNeitherScansNorSorts(String sql) throws SQLException {
        assertThat(plan(sql))
                .isNotEmpty()
                .noneMatch(step -> step.contains("TEMP B-TREE"))
                .noneMatch(step -> step.contains("SCAN") && !step.contains("CONSTANT ROW"))
                .anyMatch(step -> step.contains("SEARCH"));
    }
}
