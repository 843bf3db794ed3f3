package dev.dormouse.postgres;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the sessions of the engine are set up. All of it any role may set.
 *
 * <p>Timeouts: without them a node that vanished keeps its row locks for hours, and a cut network hangs a node for a
 * quarter of an hour. Plans: parameters say nothing about how many rows there are, and a plan that was made while a table
 * was empty stays cached; so plans are generic from the start, and joins and scans that become slow as tables grow are
 * switched off. Isolation: after waiting for a row, statements count on reading it again.
 *
 * @param values the settings of the session, by name
 * @param networkTimeout after which silence the connection counts as lost; longer than any statement may take
 */
record EngineSettings(Map<String, String> values, Duration networkTimeout) {
    private static final Duration STATEMENT = Duration.ofSeconds(20);
    private static final Duration NETWORK = Duration.ofSeconds(30);

    /** For statements that reach the tables through an index, row by row of a batch: all but the start. */
    static final EngineSettings WORK = engine(Map.of(
            "enable_nestloop", "on",
            "enable_hashjoin", "off",
            "enable_mergejoin", "off",
            "enable_seqscan", "off",
            "enable_bitmapscan", "off"));

    /** For the start, which joins the batch with itself. */
    static final EngineSettings START = engine(Map.of("enable_nestloop", "off", "enable_hashjoin", "on"));

    /** For creating tables: may take its time, also to wait for another node that is doing the same. */
    static final EngineSettings MIGRATION =
            new EngineSettings(with(common(), Map.of("lock_timeout", "60s", "statement_timeout", "0")), Duration.ZERO);

    private static EngineSettings engine(Map<String, String> plans) {
        return new EngineSettings(with(common(), plans), NETWORK);
    }

    private static Map<String, String> common() {
        return Map.ofEntries(
                Map.entry("application_name", "dormouse"),
                Map.entry("search_path", "pg_catalog"),
                Map.entry("default_transaction_isolation", "read committed"),
                Map.entry("default_transaction_read_only", "off"),
                Map.entry("lock_timeout", "50ms"),
                Map.entry("statement_timeout", STATEMENT.toMillis() + "ms"),
                Map.entry("idle_in_transaction_session_timeout", STATEMENT.toMillis() + "ms"),
                Map.entry("tcp_keepalives_idle", "10"),
                Map.entry("tcp_keepalives_interval", "5"),
                Map.entry("tcp_keepalives_count", "3"),
                Map.entry("tcp_user_timeout", "25s"),
                Map.entry("work_mem", "16MB"),
                Map.entry("plan_cache_mode", "force_generic_plan"),
                Map.entry("cpu_index_tuple_cost", "1000"),
                Map.entry("jit", "off"),
                Map.entry("max_parallel_workers_per_gather", "0"));
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return Map.copyOf(all);
    }
}
