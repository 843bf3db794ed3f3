package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A pooler in transaction mode hands out sessions in which other clients have prepared statements. */
class PoolerTest {
    /** As PgBouncer does: the server's session has the statement that the driver is about to name. */
    private static PGSimpleDataSource usedSessions(String statement) {
        return new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = TestPostgres.connect();
                try (Statement sql = connection.createStatement()) {
                    sql.execute(statement);
                }
                return connection;
            }
        };
    }

    @Test
    void sharedSessionsAreRefusedWithAdvice() {
        assertThatThrownBy(
                        () -> TestPostgres.open(TestPostgres.newSchema(), usedSessions("prepare \"S_1\" as select 1")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNSUITABLE))
                .hasMessageStartingWith("[DM2010] Expected a PostgreSQL session for each connection, but")
                .hasMessageContaining("PgBouncer in transaction mode")
                .hasMessageContaining("pool_mode = session");
    }
}
