package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.StoreOption;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "server",
        description = {
            "Serves the API and the dashboard of a store. Your own programs execute the workflows. This process also does if you "
                    + "name a jar, as in 'dormouse dev'."
        },
        footer = {
            "",
            "Each line of a token file has a name, a role (reader, operator or admin) and a token or its hash, separated by "
                    + "blanks. 'dormouse server --new-token' prints a token and its hash. An address other than 127.0.0.1 needs "
                    + "tokens.",
            "",
            "Example: dormouse server --store 'jdbc:postgresql://db/app?user=app' --address 0.0.0.0 --tokens tokens.txt"
        })
public final class ServerCommand extends BaseCommand {
    @Mixin
    private final ModuleOptions modules = new ModuleOptions();

    @Mixin
    private final StoreOption store = new StoreOption();

    @Option(names = "--address", paramLabel = "ADDRESS", description = "The address to listen on. Default: 127.0.0.1.")
    private String address = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "The port; 0 for any free one. Default: 7070.")
    private int port = 7070;

    @Option(names = "--host", paramLabel = "NAME", description = "A host name that browsers may use. Can be repeated.")
    private List<String> hosts = List.of();

    @Option(names = "--tokens", paramLabel = "FILE", description = "The token file; see below.")
    private @Nullable Path tokens;

    @Option(names = "--read-only", description = "Refuse every change.")
    private boolean readOnly;

    @Option(names = "--no-migrate", description = "Fail if the tables are missing or old, instead of changing them.")
    private boolean noMigrate;

    @Option(names = "--new-token", description = "Only print a new token and its hash.")
    private boolean newToken;

    @Override
    protected ExitCode run(Screen screen) throws InterruptedException {
        if (newToken) {
            String token = DormouseServer.newToken();
            screen.line("token " + token);
            screen.line("hash  " + DormouseServer.hash(token));
            return ExitCode.OK;
        }
        DormouseBuilder builder = Dormouse.builder()
                .store(store.url(environment()))
                .schema(store.schema())
                .migrate(!noMigrate)
                .anyRemoteWorkflow();
        ServerRunner.runUntilStopped(builder, modules.load(), settings(), screen);
        return ExitCode.OK;
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

    /** Throws if the file has no tokens: a server without tokens allows every caller everything. */
    private static List<String> checked(Path file, List<String> lines) {
        if (lines.isEmpty()) {
            throw new DormouseException(
                    ErrorCode.SERVER_NEEDS_TOKEN,
                    "Expected at least one token in " + file
                            + ", but it is empty or has only comments. Add a line such as "
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

    /** Returns an error that does not quote the line, since that contains a token. */
    private static CommandFailed badLine() {
        return CommandFailed.usage(
                "Expected a name, a role (reader, operator or admin) and a token on each line of the token file, "
                        + "but one line is different. Correct it; lines that start with # are comments.");
    }
}
