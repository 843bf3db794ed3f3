package dev.dormouse.server;

import static java.util.Objects.requireNonNull;

import dev.dormouse.Dormouse;
import dev.dormouse.dag.Dags;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Token;
import dev.dormouse.server.http.RunningServer;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP API and a dashboard for a {@link Dormouse}. By default it listens on 127.0.0.1, where every local request has
 * full access; any other address needs tokens. Thread-safe. Close it before the Dormouse.
 *
 * <pre>{@code
 * DormouseServer server = DormouseServer.builder()
 *         .dormouse(dormouse)
 *         .address("0.0.0.0")
 *         .token("grafana", Role.READER, System.getenv("GRAFANA_TOKEN"))
 *         .start();
 * }</pre>
 */
public final class DormouseServer implements AutoCloseable {
    private final RunningServer running;
    private final Optional<ServerFile> file;

    private DormouseServer(RunningServer running, Optional<ServerFile> file) {
        this.running = running;
        this.file = file;
    }

    /** Returns a builder for a server on 127.0.0.1:7070 without tokens. It needs {@link Builder#dormouse}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a new token of 256 random bits. It is not stored: keep it, or its {@link #hash}. */
    public static String newToken() {
        return Token.random();
    }

    /** Returns the hash of a token, which a configuration may contain instead of the token. */
    public static String hash(String token) {
        return Token.hash(token);
    }

    /** Returns the server's URL, such as {@code http://127.0.0.1:7070}. */
    public String url() {
        return running.url();
    }

    /** Returns the port that the server listens on, even if it was chosen by {@code port(0)}. */
    public int port() {
        return running.port();
    }

    @Override
    public void close() {
        file.ifPresent(ServerFile::close);
        running.close();
    }

    /** Configures and starts a server. Not thread-safe. */
    public static final class Builder {
        private ServerSettings settings = ServerSettings.DEFAULT;
        private @Nullable Dormouse dormouse;
        private @Nullable Dags dags;

        private Builder() {}

        /** Sets the Dormouse to serve. Required. The caller closes it, after the server. */
        public Builder dormouse(Dormouse value) {
            dormouse = requireNonNull(value);
            return this;
        }

        /** Sets the DAGs of the same Dormouse. Default: none. */
        public Builder dags(Dags value) {
            dags = requireNonNull(value);
            return this;
        }

        /** Sets all settings at once. Default: {@link ServerSettings#DEFAULT}. */
        public Builder settings(ServerSettings value) {
            settings = requireNonNull(value);
            return this;
        }

        /** Sets the address to listen on. Default: 127.0.0.1; any other address needs a token. */
        public Builder address(String value) {
            settings = settings.address(value);
            return this;
        }

        /** Sets the port; 0 for any free port. Default: 7070. */
        public Builder port(int value) {
            settings = settings.port(value);
            return this;
        }

        /**
         * Adds a caller. As soon as there is one, requests without a token are refused.
         *
         * @param name as the audit log shows it
         * @param secretOrHash a token, see {@link #newToken}, or its {@link #hash}
         * @throws DormouseException BAD_SETTING if the token is shorter than 32 characters
         */
        public Builder token(String name, Role role, String secretOrHash) {
            settings = settings.token(name, role, secretOrHash);
            return this;
        }

        /** Adds a host name of the server, such as {@code dormouse.example.com}. Default: only its address. */
        public Builder host(String name) {
            settings = settings.host(name);
            return this;
        }

        /** Sets whether requests that change something are refused. Default: false. */
        public Builder readOnly(boolean value) {
            settings = settings.readOnly(value);
            return this;
        }

        /** Sets the source of {@code /metrics}. Default: an empty text. */
        public Builder metrics(Supplier<String> value) {
            settings = settings.metrics(value);
            return this;
        }

        /**
         * Starts the server.
         *
         * @return the running server, to be closed by the caller
         * @throws DormouseException BAD_SETTING if {@link #dormouse} is missing; SERVER_NEEDS_TOKEN if others can reach
         *     the address and there is no token; SERVER_NOT_STARTED if it cannot listen
         */
        public DormouseServer start() {
            if (dormouse == null) {
                throw new DormouseException(
                        ErrorCode.BAD_SETTING, "Expected a Dormouse to serve, but there is none. Add dormouse(…).");
            }
            String own = Token.random();
            RunningServer running = RunningServer.start(
                    dormouse,
                    new Api(dormouse, dags, settings.readOnly()),
                    new RunningServer.Endpoint(
                            settings.address(),
                            settings.port(),
                            settings.tokens(),
                            Token.of("command line", Role.ADMIN, own),
                            settings.hosts()),
                    new RunningServer.Limits(
                            settings.maxRequestBytes(), settings.requestsPerSecond(), settings.maxStreams()),
                    settings.metrics());
            return new DormouseServer(running, file(dormouse, running, own));
        }

        private static Optional<ServerFile> file(Dormouse dormouse, RunningServer running, String token) {
            try {
                return dormouse.profile().store().file().map(file -> ServerFile.write(file, running.url(), token));
            } catch (DormouseException refused) {
                running.close();
                throw refused;
            }
        }
    }
}
