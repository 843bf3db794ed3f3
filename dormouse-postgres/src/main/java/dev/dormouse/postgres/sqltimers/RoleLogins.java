package dev.dormouse.postgres.sqltimers;

import dev.dormouse.postgres.notify.PromptSockets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * The logins as the node's own role and as the roles that schedule timers: with the role's password if one was given,
 * otherwise without a password, which works if the server trusts this machine. Thread-safe.
 */
final class RoleLogins {
    private static final int CONNECT_SECONDS = 5;

    /**
     * As login options these settings survive RESET ALL. A server that lost this node ends its transactions, and with
     * them its locks. Nothing else depends on them, so a pooler may drop them.
     */
    private static final String OPTIONS = "-c client_connection_check_interval=2000"
            + " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
            + " -c idle_in_transaction_session_timeout=20000 -c idle_session_timeout=0"
            + " -c statement_timeout=0 -c lock_timeout=0";

    private final String url;
    private final Map<String, String> passwords;
    private volatile boolean direct = true;

    RoleLogins(String url, Map<String, String> passwords) {
        this.url = url;
        this.passwords = Map.copyOf(passwords);
    }

    Map<String, String> passwords() {
        return passwords;
    }

    boolean isDirect() {
        return direct;
    }

    /** Records that a pooler in between gives each transaction another session. */
    void pooled() {
        direct = false;
    }

    /** Returns a DataSource for the node's own statements. */
    PGSimpleDataSource node() {
        PGSimpleDataSource source = source("dormouse");
        source.setSocketTimeout(30);
        source.setPrepareThreshold(0); // some poolers do not keep prepared statements
        return source;
    }

    /** Opens a connection to listen on, where silence is not a failure. */
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
     * Opens a connection for actions, logged in as the role that scheduled them, even if the role's settings would
     * switch to another role. Uses simple query mode, so that no action can replace one of our prepared statements.
     *
     * @param ownRole the role that the URL logs in as
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
