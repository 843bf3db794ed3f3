package dev.dormouse.postgres;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How the sessions of the engine are set up. All of it any role may set.
 *
 * <p>Timeouts: without them a node that vanished keeps its row locks for hours, and a cut network hangs a node for a
 * quarter of an hour. Plans: parameters say nothing about how many rows there are, and a plan that was made while a table
 * was empty stays cached; so plans are generic from the start, and joins and scans that become slow as tables grow are
 * switched off. Isolation: after waiting for a row, statements count on reading it again. Durability: a commit that was
 * confirmed survives a crash of the server, so {@code synchronous_commit} is never off; every other value of it is kept.
 * Settings that a server does not know yet are left out.
 *
 * @param values the settings of the session, by name
 * @param networkTimeout after which silence the connection counts as lost; longer than any statement may take
 */
record EngineSettings(Map<String, String> values, Duration networkTimeout) {
    private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";

    /** True for a setting {@code s} that exists and must change. Some may be set by a superuser only, even to what they are. */
    static final String MUST_CHANGE = "pg_catalog.current_setting(s.name, true) <> s.value and not (s.name = '"
            + SYNCHRONOUS_COMMIT + "' and s.value = 'on' and pg_catalog.current_setting(s.name) <> 'off')";

    /** An expression that makes the transaction in which it is evaluated survive a crash once it was committed. */
    static final String DURABLE = "case when pg_catalog.current_setting('" + SYNCHRONOUS_COMMIT
            + "') = 'off' then pg_catalog.set_config('" + SYNCHRONOUS_COMMIT + "', 'on', true) end";

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

    /**
     * For a user's statements: no more than what keeps a vanished client from holding its locks for ever, and a cut
     * network from holding up a step for ever. Longer than for the engine, because nobody knows what users do.
     */
    static final EngineSettings USER = new EngineSettings(
            with(tcp(), Map.of("statement_timeout", "5min", "idle_in_transaction_session_timeout", "1min")),
            Duration.ofMinutes(6));

    private static EngineSettings engine(Map<String, String> plans) {
        return new EngineSettings(with(common(), plans), NETWORK);
    }

    private static Map<String, String> tcp() {
        return Map.of(
                "tcp_keepalives_idle", "10",
                "tcp_keepalives_interval", "5",
                "tcp_keepalives_count", "3",
                "tcp_user_timeout", "25s");
    }

    private static Map<String, String> common() {
        return with(tcp(), session());
    }

    private static Map<String, String> session() {
        return Map.ofEntries(
                Map.entry("application_name", "dormouse"),
                Map.entry("search_path", "pg_catalog"),
                Map.entry("default_transaction_isolation", "read committed"),
                Map.entry("default_transaction_read_only", "off"),
                Map.entry("lock_timeout", "50ms"),
                Map.entry("statement_timeout", STATEMENT.toMillis() + "ms"),
                Map.entry("idle_in_transaction_session_timeout", STATEMENT.toMillis() + "ms"),
                Map.entry("idle_session_timeout", "0"),
                Map.entry("transaction_timeout", "0"),
                Map.entry(SYNCHRONOUS_COMMIT, "on"),
                Map.entry("session_replication_role", "origin"),
                Map.entry("row_security", "on"),
                Map.entry("array_nulls", "on"),
                Map.entry("work_mem", "16MB"),
                Map.entry("plan_cache_mode", "force_generic_plan"),
                Map.entry("cpu_index_tuple_cost", "1000"),
                Map.entry("jit", "off"),
                Map.entry("max_parallel_workers_per_gather", "0"));
    }

    /** A statement after which they hold until the end of the transaction. */
    String setLocally() {
        return setLocallyAll() + " where " + MUST_CHANGE;
    }

    private String setLocallyAll() {
        return values.entrySet().stream()
                .map(setting -> "('" + setting.getKey() + "', '" + setting.getValue() + "')")
                .collect(Collectors.joining(
                        ", ",
                        "select pg_catalog.set_config(s.name, s.value, true) from (values ",
                        ") as s(name, value)"));
    }

    /** The same, except for timeouts that somebody has set already. */
    String setLocallyWhereUnset() {
        return setLocallyAll() + " where s.name like 'tcp%' or pg_catalog.current_setting(s.name) = '0'";
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return Map.copyOf(all);
    }
}
