package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowModule;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.Modules;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.api.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "server",
        description = {
            "Serves the API and the dashboard of a store. Workflows are executed by your own programs, or also here if their "
                    + "jar is named, as in 'dormouse dev'."
        },
        footer = {
            "",
            "A line of a token file is a name, a role (reader, operator or admin) and a token, or the hash that 'dormouse server "
                    + "--new-token' prints with it, with blanks between them. An address other than 127.0.0.1 needs tokens.",
            "",
            "Example: dormouse server --store 'jdbc:postgresql://db/app?user=app' --address 0.0.0.0 --tokens tokens.txt"
        })
public final class ServerCommand extends BaseCommand {
    @Parameters(arity = "0..1", paramLabel = "CLASSPATH", description = "Workflows to execute here; none if not given.")
    private @Nullable String classPath;

    @Option(
            names = "--module",
            paramLabel = "CLASS",
            description = "A WorkflowModule that the jar does not name itself.")
    private List<String> modules = List.of();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "jdbc:postgresql://HOST/DATABASE?user=USER or sqlite:FILE. Or DORMOUSE_STORE.")
    private @Nullable String store;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "Of the tables on PostgreSQL; dormouse if not given.")
    private String schema = "dormouse";

    @Option(names = "--address", paramLabel = "ADDRESS", description = "Where to listen; 127.0.0.1 if not given.")
    private String address = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "7070 if not given; 0 for any that is free.")
    private int port = 7070;

    @Option(names = "--host", paramLabel = "NAME", description = "A name by which browsers call it; may be repeated.")
    private List<String> hosts = List.of();

    @Option(names = "--tokens", paramLabel = "FILE", description = "Who may do what; see below.")
    private @Nullable Path tokens;

    @Option(names = "--read-only", description = "Refuse every change.")
    private boolean readOnly;

    @Option(names = "--no-migrate", description = "Fail where the tables are missing or old, instead of changing them.")
    private boolean noMigrate;

    @Option(names = "--new-token", description = "Print a new token and its hash, and do nothing else.")
    private boolean newToken;

    @Override
    protected ExitCode run(Screen screen) throws InterruptedException {
        if (newToken) {
            String token = DormouseServer.newToken();
            screen.line("token " + token);
            screen.line("hash  " + DormouseServer.hash(token));
            return ExitCode.OK;
        }
        Serving.untilStopped(builder(), modules(), settings(), screen);
        return ExitCode.OK;
    }

    private DormouseBuilder builder() {
        String url = store == null ? environment().variable("DORMOUSE_STORE").orElse(null) : store;
        if (url == null) {
            throw CommandFailed.usage("Expected a store, but none was named. Use --store jdbc:postgresql://…, or set "
                    + "DORMOUSE_STORE. './dormouse dev' runs without one.");
        }
        return Dormouse.builder().store(url).schema(schema).migrate(!noMigrate).workflowsElsewhere();
    }

    private List<WorkflowModule> modules() {
        if (classPath == null && modules.isEmpty()) {
            return List.of();
        }
        Modules found = Modules.of(classPath == null ? "" : classPath, modules);
        Thread.currentThread().setContextClassLoader(found.loader());
        return found.all();
    }

    private DormouseServer.Builder settings() {
        DormouseServer.Builder settings =
                DormouseServer.builder().address(address).port(port).readOnly(readOnly);
        hosts.forEach(settings::host);
        if (tokens != null) {
            checked(tokens, lines(tokens)).forEach(line -> token(settings, line));
        }
        return settings;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw CommandFailed.usage("Expected tokens in " + file + ", but reading it failed (" + e + ").");
        }
    }

    /** A server without tokens lets every caller do everything, which is not what {@code --tokens} asks for. */
    private static List<String> checked(Path file, List<String> lines) {
        if (lines.isEmpty()) {
            throw new DormouseException(
                    ErrorCode.SERVER_NEEDS_TOKEN,
                    "Expected at least one token in " + file
                            + ", but it is empty or holds only remarks. Add a line such as "
                            + "'ada operator sha256:…': a name, a role (reader, operator or admin), and a token or its hash; "
                            + "'dormouse server --new-token' prints both. Or start without --tokens on 127.0.0.1.");
        }
        return lines;
    }

    private static void token(DormouseServer.Builder settings, String line) {
        String[] parts = line.split("\\s+");
        if (parts.length != 3) {
            throw badLine();
        }
        try {
            settings.token(parts[0], Role.valueOf(parts[1].toUpperCase(Locale.ROOT)), parts[2]);
        } catch (IllegalArgumentException e) {
            throw badLine();
        }
    }

    /** Without the line, which holds a secret. */
    private static CommandFailed badLine() {
        return CommandFailed.usage(
                "Expected lines of a name, a role (reader, operator or admin) and a token in the token file, "
                        + "but one is different. Correct it; lines that begin with # are remarks.");
    }
}
