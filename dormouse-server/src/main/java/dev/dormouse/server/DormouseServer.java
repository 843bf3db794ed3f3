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
 * An HTTP API and a dashboard for a {@link Dormouse}. Listens on 127.0.0.1, where whoever reaches it may do everything;
 * any other address needs tokens. Thread-safe. Close it before the Dormouse.
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

    public static Builder builder() {
        return new Builder();
    }

    /** A new token: 256 random bits. It is shown once; keep it, or what {@link #hash} makes of it. */
    public static String newToken() {
        return Token.random();
    }

    /** What may be written into a configuration instead of a token. */
    public static String hash(String token) {
        return Token.hash(token);
    }

    /** Where it is, such as {@code http://127.0.0.1:7070}. */
    public String url() {
        return running.url();
    }

    public int port() {
        return running.port();
    }

    @Override
    public void close() {
        file.ifPresent(ServerFile::close);
        running.close();
    }

    /** What to serve, and how. */
    public static final class Builder {
        private ServerSettings settings = ServerSettings.DEFAULT;
        private @Nullable Dormouse dormouse;
        private @Nullable Dags dags;

        private Builder() {}

        public Builder dormouse(Dormouse value) {
            dormouse = requireNonNull(value);
            return this;
        }

        /** The DAGs of the same Dormouse. Default: none. */
        public Builder dags(Dags value) {
            dags = requireNonNull(value);
            return this;
        }

        /** All settings at once. */
        public Builder settings(ServerSettings value) {
            settings = requireNonNull(value);
            return this;
        }

        /** Where it listens. Default: 127.0.0.1; any other address needs a token. */
        public Builder address(String value) {
            settings = settings.address(value);
            return this;
        }

        /** 0 for any port that is free. Default: 7070. */
        public Builder port(int value) {
            settings = settings.port(value);
            return this;
        }

        /**
         * Somebody who may do something. As soon as there is one, nobody is let in without.
         *
         * @param name as it stands in the audit log
         * @param secretOrHash a token, see {@link #newToken}, or its {@link #hash}
         */
        public Builder token(String name, Role role, String secretOrHash) {
            settings = settings.token(name, role, secretOrHash);
            return this;
        }

        /** A name by which it is called, such as {@code dormouse.example.com}. Default: none but its address. */
        public Builder host(String name) {
            settings = settings.host(name);
            return this;
        }

        /** Whether it refuses to change anything. Default: no. */
        public Builder readOnly(boolean value) {
            settings = settings.readOnly(value);
            return this;
        }

        /** What {@code /metrics} answers. Default: nothing. */
        public Builder metrics(Supplier<String> value) {
            settings = settings.metrics(value);
            return this;
        }

        /**
         * Begins to listen.
         *
         * @throws DormouseException SERVER_NEEDS_TOKEN for an address that others can reach, without a token;
         *     SERVER_NOT_STARTED where it cannot listen
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
