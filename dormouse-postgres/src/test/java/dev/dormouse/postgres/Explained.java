package dev.dormouse.postgres;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A role for which the server reports the plan and the cost of every statement: the real plans of the engine's prepared
 * statements, including cached ones. (The server's module auto_explain does that.)
 */
final class Explained {
    private static final String ROLE = "explained";

    private Explained() {}

    /** A plan that was used. */
    record Plan(String sql, String text) {
        private static final Pattern BUFFERS = Pattern.compile("Buffers: shared ([^\n]*)");
        private static final Pattern COUNT = Pattern.compile("(?:hit|read)=(\\d+)");

        /** The number of pages read. */
        long pages() {
            long most = 0;
            for (Matcher line = BUFFERS.matcher(text); line.find(); ) {
                long sum = 0;
                for (Matcher count = COUNT.matcher(line.group(1)); count.find(); ) {
                    sum += Long.parseLong(count.group(1));
                }
                most = Math.max(most, sum);
            }
            return most;
        }
    }

    static DataSource dataSource() {
        if (TestPostgres.query("select count(*) from pg_roles where rolname = '" + ROLE + "'")
                .equals("0")) {
            TestPostgres.execute(TestPostgres.admin(), """
                    create role explained login password 'secret' in role engine;
                    alter role explained set role = 'engine';
                    alter role explained set session_preload_libraries = 'auto_explain';
                    alter role explained set auto_explain.log_min_duration = 0;
                    alter role explained set auto_explain.log_analyze = on;
                    alter role explained set auto_explain.log_buffers = on;
                    alter role explained set auto_explain.log_timing = off;
                    alter role explained set auto_explain.log_level = notice;
                    """);
        }
        PGSimpleDataSource dataSource = TestPostgres.engine();
        dataSource.setUser(ROLE);
        return dataSource;
    }

    /**
     * The plans of all statements that were recorded, in their order. Within a transaction the server reports the plan of a
     * statement only when the next one comes, or the end.
     */
    static List<Plan> all(List<Recorder.Executed> executed) {
        long statements = executed.stream()
                .filter(one -> !one.sql().equals("commit") && !one.sql().equals("rollback"))
                .count();
        String told = executed.stream().map(Recorder.Executed::notices).collect(Collectors.joining("\n"));
        List<Plan> plans = Pattern.compile("(?m)^(?=duration: [0-9.]+ ms +plan:)")
                .splitAsStream(told)
                .filter(text -> text.contains("plan:"))
                .map(text ->
                        new Plan(text.lines().takeWhile(Explained::isQuery).collect(Collectors.joining("\n")), text))
                .toList();
        if (statements == 0 || plans.size() != statements) {
            throw new IllegalStateException("Expected statements with their plans, but got " + executed);
        }
        return plans;
    }

    private static boolean isQuery(String line) {
        return !line.contains("(cost=");
    }
}
