package dev.dormouse.cli.base;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --store} and {@code --schema}, for commands that open a store themselves. */
public final class StoreOption {
    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=USER. Default: DORMOUSE_STORE.")
    private @Nullable String store;

    @Option(names = "--schema", paramLabel = "NAME", description = "The PostgreSQL schema. Default: dormouse.")
    private String schema = "dormouse";

    /**
     * Returns the URL of the store.
     *
     * @throws CommandFailed with {@link dev.dormouse.cli.process.ExitCode#USAGE} if neither the option nor the variable is set
     */
    public String url(Environment environment) {
        if (store != null) {
            return store;
        }
        return environment
                .variable("DORMOUSE_STORE")
                .orElseThrow(() -> CommandFailed.usage(
                        "Expected a store, but got none. Use --store sqlite:FILE or --store jdbc:postgresql://…, or set "
                                + "DORMOUSE_STORE. './dormouse dev' needs neither."));
    }

    public String schema() {
        return schema;
    }
}
