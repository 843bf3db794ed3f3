package dev.dormouse.postgres.sqltimers;

import dev.dormouse.postgres.PromptSockets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * How to log in as the node's own role, and as the roles that set timers: with the password that was given for a role, or
 * else without any, which works where the server trusts this machine.
 */
final class Logins {
    private static final int CONNECT_SECONDS = 5;

    /**
     * As options of the login they hold again after RESET ALL. A server that lost sight of this node ends its
     * transactions, and with them its locks. What a pooler makes of them does not matter for anything else.
     */
    private static final String OPTIONS = "-c client_connection_check_interval=2000"
            + " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
            + " -c idle_in_transaction_session_timeout=20000 -c idle_session_timeout=0"
            + " -c statement_timeout=0 -c lock_timeout=0";

    private final String url;
    private final Map<String, String> passwords;
    private volatile boolean direct = true;

    Logins(String url, Map<String, String> passwords) {
        this.url = url;
        this.passwords = Map.copyOf(passwords);
    }

    Map<String, String> passwords() {
        return passwords;
    }

    boolean isDirect() {
        return direct;
    }

    /** There is a pooler in between that gives each transaction another session. */
    void pooled() {
        direct = false;
    }

    /** For the node's own statements. */
    PGSimpleDataSource node() {
        PGSimpleDataSource source = source("dormouse");
        source.setSocketTimeout(30);
        source.setPrepareThreshold(0); // some poolers do not keep prepared statements
        return source;
    }

    /** To listen on: silence is no failure there. */
    Connection openListening() throws SQLException {
        PGSimpleDataSource source = source("dormouse timers listen");
        PromptSockets.useFor(source);
        Connection connection = source.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("set idle_session_timeout = 0");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * A connection on which actions may run, logged in as the role that set them, whatever role that one takes on by its
     * own settings. In simple mode, because then no action can put itself in the place of a prepared statement of ours.
     *
     * @param ownRole what the URL logs in as
     */
    Connection open(String role, String ownRole) throws SQLException {
        PGSimpleDataSource source = source("dormouse timers");
        source.setPreferQueryMode(PreferQueryMode.SIMPLE);
        source.setOptions(OPTIONS + " -c role=none");
        if (source.getSocketFactory() == null) { // the URL's own may be the only way to the server
            source.setSocketFactory(BoundedSockets.class.getName());
        }
        @Nullable String password = passwords.get(role);
        if (password != null || !role.equals(ownRole)) {
            source.setUser(role);
            source.setPassword(password);
        }
        return source.getConnection();
    }

    private PGSimpleDataSource source(String name) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        source.setApplicationName(name);
        source.setAssumeMinServerVersion("15"); // so that the name is part of the login, and holds after RESET ALL
        source.setTcpKeepAlive(true);
        source.setLogServerErrorDetail(false); // it repeats rows
        if (!url.contains(PGProperty.CONNECT_TIMEOUT.getName())) {
            source.setConnectTimeout(CONNECT_SECONDS);
        }
        return source;
    }
}
