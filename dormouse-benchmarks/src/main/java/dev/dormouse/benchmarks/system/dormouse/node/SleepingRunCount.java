package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.inspect.RunStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The number of sleeping runs in the store, which no Dormouse API returns. */
record SleepingRunCount(String url) {
    int count() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from dormouse.run where type = '"
                        + NodeCode.SLEEP + "' and status = " + RunStatus.WAITING.code())) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
