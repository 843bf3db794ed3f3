package dev.dormouse.cli.operate;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The store, for commands that work on it and not through the API. */
final class StoreOption {
    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "sqlite:FILE or jdbc:postgresql://HOST/DATABASE?user=USER. Or DORMOUSE_STORE.")
    private @Nullable String store;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The schema of Dormouse's tables on PostgreSQL; dormouse if not given.")
    private String schema = "dormouse";

    String url(Environment environment) {
        if (store != null) {
            return store;
        }
        return environment
                .variable("DORMOUSE_STORE")
                .orElseThrow(() -> CommandFailed.usage(
                        "Expected a store, but none was named. Use --store sqlite:FILE or --store jdbc:postgresql://…, or "
                                + "set DORMOUSE_STORE."));
    }

    String schema() {
        return schema;
    }

    StoreConfig config(Environment environment, boolean migrate) {
        return new StoreConfig(url(environment), Optional.empty(), schema, 1, migrate, InstantSource.system());
    }

    StoreProvider provider(Environment environment) {
        List<StoreProvider> providers = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        String url = url(environment);
        return providers.stream()
                .filter(provider -> provider.accepts(url))
                .findFirst()
                .orElseThrow(() -> CommandFailed.usage("Expected a store of the form "
                        + providers.stream().map(StoreProvider::urlForm).collect(Collectors.joining(" or "))
                        + ", but got something else."));
    }
}
