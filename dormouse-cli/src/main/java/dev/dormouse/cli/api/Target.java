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

/** Options that say which Dormouse is meant. */
public final class Target {
    static final String DEFAULT_URL = "http://127.0.0.1:7070";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "A Dormouse server, such as http://127.0.0.1:7070. Or DORMOUSE_URL. This is the default.")
    private @Nullable String url;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "A store instead: sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=USER. Or DORMOUSE_STORE.")
    private @Nullable String store;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The schema of Dormouse's tables on PostgreSQL; dormouse if not given.")
    private String schema = "dormouse";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with the token for the server. Or the token itself in DORMOUSE_TOKEN.")
    private @Nullable Path tokenFile;

    /** The one that is meant: what was typed counts more than the environment, and a store more than nothing. */
    public ApiClient open(Environment environment) {
        if (url != null && store != null) {
            throw CommandFailed.usage("Expected --url or --store, but got both. Leave one out.");
        }
        Optional<String> chosenStore = store(environment);
        return chosenStore.isPresent() ? StoreApi.of(chosenStore.get(), schema) : server(environment);
    }

    /** The store, if one was named. */
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
                    "Expected one token in " + place + ", but it has blanks or other characters in it.");
        }
        return token;
    }
}
