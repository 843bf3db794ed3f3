package dev.dormouse.cli.api;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.dag.Dags;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.ApiRequest;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The API in this process, on a store. The first call opens the store, read-only if it only reads. A read-only Dormouse is
 * not a node and works while other processes have the store open. The first change opens it as a node without workflow code,
 * which leaves all runs to other nodes.
 *
 * <p>The waits of a run are a question to the node that has its code, which a read-only Dormouse cannot ask. So a request for
 * them opens a PostgreSQL store for changes too. If that is refused, for example to a role that may only read, the request
 * is answered read-only, without the waits. A SQLite store has no other nodes to ask.
 */
final class StoreApi implements ApiClient {
    private static final Caller CALLER = new Caller("command line", Role.ADMIN);
    private static final Pattern RUN = Pattern.compile("/workflows/[^/]+");

    /** Long enough for a replay of a long history on a busy node. If no living node has the code, none of it is used. */
    private static final Duration WAITS_WITHIN = Duration.ofSeconds(5);

    private final String store;
    private final String schema;
    private final Optional<Path> file;
    private @Nullable Opened opened;

    /** An open store and the requests that it supports. */
    private record Opened(Dormouse dormouse, Api api, boolean isReadOnly, boolean hasDags) {}

    private StoreApi(String store, String schema) {
        this.store = store;
        this.schema = schema;
        this.file = SqliteFiles.file(store);
    }

    /** Returns a client of the process that serves the store, if there is one, or else the API in this process. */
    static ApiClient of(String store, String schema) {
        if (store.startsWith("http:") || store.startsWith("https:")) {
            throw CommandFailed.usage("Expected a store, but got the URL of a server. Use --url for that.");
        }
        if (store.contains(":memory:")) {
            throw CommandFailed.usage("Expected a persistent store, but got one in memory. Use sqlite:FILE.");
        }
        Optional<ServerFileReader> server =
                SqliteFiles.file(store).filter(Files::exists).flatMap(ServerFileReader::read);
        return server.isPresent()
                ? new HttpApi(
                        server.get().url(), server.get().token(), "The process that had the store open has ended.")
                : new StoreApi(store, schema);
    }

    @Override
    public boolean isAlone() {
        return file.isPresent();
    }

    @Override
    public ApiResult call(String method, ApiPath path, @Nullable JsonNode body) {
        boolean isDag = path.path().startsWith("/dags")
                || path.path().startsWith("/approvals")
                || path.path().endsWith("/dag");
        ApiRequest request = new ApiRequest(
                method,
                ApiPath.BASE + path.path(),
                path.query(),
                body == null ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8),
                CALLER);
        boolean isRead = method.equals("GET");
        boolean asksNodes = isRead && file.isEmpty() && RUN.matcher(path.path()).matches();
        Api api = asksNodes ? askingApi() : api(isRead, isDag);
        ApiResponse response = api.handle(request);
        return new ApiResult(response.status(), response.body(), "the store");
    }

    /** Returns an API that can ask other nodes, or a read-only one if the store cannot be changed. */
    private Api askingApi() {
        try {
            return api(false, false);
        } catch (DormouseException refused) {
            return api(true, false);
        }
    }

    private Api api(boolean toRead, boolean withDags) {
        Opened present = opened;
        if (present == null || present.isReadOnly() && !toRead || withDags && !present.hasDags()) {
            close();
            present = open(toRead, withDags);
            opened = present;
        }
        return present.api();
    }

    private Opened open(boolean toRead, boolean withDags) {
        checkFile();
        DormouseBuilder builder = Dormouse.builder().store(store).schema(schema).migrate(false);
        Dags dags = withDags ? Dags.of() : null;
        if (dags != null) {
            builder.plugin(dags);
        }
        try {
            Dormouse dormouse = (toRead ? builder.readOnly() : builder.anyRemoteWorkflow()).open();
            return new Opened(dormouse, new Api(dormouse, dags, toRead, WAITS_WITHIN), toRead, withDags);
        } catch (DormouseException problem) {
            throw explained(problem);
        }
    }

    /** Throws if the file does not exist: a typing error must not create one. */
    private void checkFile() {
        if (file.isPresent() && !Files.isRegularFile(file.get())) {
            throw new CommandFailed(
                    ExitCode.NOT_REACHABLE,
                    "Expected an SQLite store in " + file.get()
                            + ", but there is no such file. Check its name and the current "
                            + "folder; 'dormouse migrate --store " + store + "' creates one.");
        }
    }

    private RuntimeException explained(DormouseException problem) {
        if (problem.code() == ErrorCode.STORE_IN_USE) {
            return new CommandFailed(
                    ExitCode.CONFLICT,
                    "[" + problem.code().label() + "] Expected to change "
                            + file.map(Path::toString).orElse(store)
                            + ", but a process has it open that does not serve commands. Reading works. For changes stop that "
                            + "process, or let it run a DormouseServer, as './dormouse dev' does.",
                    problem);
        }
        return problem;
    }

    @Override
    public void close() {
        if (opened != null) {
            opened.dormouse().close();
            opened = null;
        }
    }
}
