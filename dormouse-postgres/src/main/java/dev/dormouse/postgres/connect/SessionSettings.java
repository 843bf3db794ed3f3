package dev.dormouse.postgres.connect;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The settings of the engine's sessions. Any role may set them.
 *
 * <ul>
 *   <li>Timeouts: without them a node that vanished keeps its row locks for hours, and a network partition blocks a
 *       node for 15 minutes.
 *   <li>Plans: parameters do not show the number of rows, and a plan that was made for an empty table stays cached. So
 *       plans are generic from the start, and joins and scans that become slow as tables grow are disabled.
 *   <li>Isolation: statements rely on reading a row again after waiting for it.
 *   <li>Durability: a confirmed commit survives a server crash, so {@code synchronous_commit} is never off; other
 *       values are kept.
 * </ul>
 *
 * <p>Settings that a server does not know are skipped.
 *
 * @param values the settings of the session, by name
 * @param networkTimeout the silence after which the connection counts as lost; longer than any statement may take
 */
public record SessionSettings(Map<String, String> values, Duration networkTimeout) {
    private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";

    /**
     * True for a setting {@code s} that exists and must change. Only a superuser may set some of them, even to their
     * current value.
     */
    static final String MUST_CHANGE = "pg_catalog.current_setting(s.name, true) <> s.value and not (s.name = '"
            + SYNCHRONOUS_COMMIT + "' and s.value = 'on' and pg_catalog.current_setting(s.name) <> 'off')";

    /** An expression that makes the transaction in which it is evaluated durable. */
    public static final String DURABLE = "case when pg_catalog.current_setting('" + SYNCHRONOUS_COMMIT
            + "') = 'off' then pg_catalog.set_config('" + SYNCHRONOUS_COMMIT + "', 'on', true) end";

    private static final Duration STATEMENT = Duration.ofSeconds(20);
    private static final Duration NETWORK = Duration.ofSeconds(30);

    /** For statements that reach the tables through an index, row by row of a batch: all except the start. */
    public static final SessionSettings WORK = engine(Map.of(
            "enable_nestloop", "on",
            "enable_hashjoin", "off",
            "enable_mergejoin", "off",
            "enable_seqscan", "off",
            "enable_bitmapscan", "off"));

    /** For the start, which joins the batch with itself. */
    static final SessionSettings START = engine(Map.of("enable_nestloop", "off", "enable_hashjoin", "on"));

    /** For creating tables: may take long, for example to wait for another node that does the same. */
    static final SessionSettings MIGRATION =
            new SessionSettings(with(common(), Map.of("lock_timeout", "60s", "statement_timeout", "0")), Duration.ZERO);

    /**
     * For a user's statements: only settings that keep a vanished client from holding its locks forever, and a network
     * partition from blocking a step forever. The timeouts are longer than the engine's, because the duration of users'
     * statements is unknown.
     */
    public static final SessionSettings USER = new SessionSettings(
            with(tcp(), Map.of("statement_timeout", "5min", "idle_in_transaction_session_timeout", "1min")),
            Duration.ofMinutes(6));

    private static SessionSettings engine(Map<String, String> plans) {
        return new SessionSettings(with(common(), plans), NETWORK);
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

    /** Returns a statement that applies these settings until the end of the transaction. */
    public String setLocally() {
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

    /**
     * Returns a statement that applies these settings until the end of the transaction, except timeouts that are
     * already set.
     */
    public String setLocallyWhereUnset() {
        return setLocallyAll() + " where s.name like 'tcp%' or pg_catalog.current_setting(s.name) = '0'";
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return Map.copyOf(all);
    }
}
