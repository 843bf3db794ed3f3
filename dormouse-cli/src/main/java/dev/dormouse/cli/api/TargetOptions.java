package dev.dormouse.cli.api;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a server or a store. */
public final class TargetOptions {
    static final String DEFAULT_URL = "http://127.0.0.1:7070";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The URL of a server. Default: DORMOUSE_URL, or http://127.0.0.1:7070.")
    private @Nullable String url;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "A store instead of a server: sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=USER. Default: "
                            + "DORMOUSE_STORE.")
    private @Nullable String store;

    @Option(names = "--schema", paramLabel = "NAME", description = "The PostgreSQL schema. Default: dormouse.")
    private String schema = "dormouse";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with the token for the server. Default: the token in DORMOUSE_TOKEN.")
    private @Nullable Path tokenFile;

    /**
     * Opens the selected server or store. Options override environment variables, and {@code DORMOUSE_URL} overrides
     * {@code DORMOUSE_STORE}.
     */
    public ApiClient open(Environment environment) {
        if (url != null && store != null) {
            throw CommandFailed.usage("Expected --url or --store, but got both. Leave one out.");
        }
        Optional<String> chosenStore = store(environment);
        return chosenStore.isPresent() ? StoreApi.of(chosenStore.get(), schema) : server(environment);
    }

    /** Returns the selected store, or empty if a server is selected. */
    public Optional<String> store(Environment environment) {
        if (store != null) {
            return Optional.of(store);
        }
        return url != null || environment.variable("DORMOUSE_URL").isPresent()
                ? Optional.empty()
                : environment.variable("DORMOUSE_STORE");
    }

    public String schema() {
        return schema;
    }

    private ApiClient server(Environment environment) {
        String named = url != null ? url : environment.variable("DORMOUSE_URL").orElse(null);
        String advice = named == null
                ? "Start one with './dormouse dev', or name another with --url or a store with --store."
                : "Check the URL, and that the server runs.";
        return new HttpApi(HttpApi.server(named == null ? DEFAULT_URL : named), token(environment), advice);
    }

    private String token(Environment environment) {
        if (tokenFile == null) {
            return checked(environment.variable("DORMOUSE_TOKEN").orElse("").strip(), "DORMOUSE_TOKEN");
        }
        try {
            return checked(Files.readString(tokenFile).strip(), tokenFile.toString());
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.USAGE, "Expected a token in " + tokenFile + ", but reading it failed (" + e + ").", e);
        }
    }

    private static String checked(String token, String place) {
        if (token.codePoints().anyMatch(point -> point <= ' ' || point > '~')) {
            throw CommandFailed.usage(
                    "Expected one token in " + place + ", but it contains blanks or other invalid characters.");
        }
        return token;
    }
}
