package dev.dormouse.internal.embedded;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import dev.dormouse.store.StoreUrl;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** A lookup of the store for a URL or DataSource, among the modules on the class path. */
public final class Stores {

    /** The store settings of the builder. */
    public record Choice(
            String url, Optional<DataSource> dataSource, String schema, int shards, boolean migrate, boolean readOnly) {
        @Override
        public String toString() {
            return "a store"; // the URL may contain a password
        }
    }

    private Stores() {}

    static Store open(Choice choice) {
        if (choice.dataSource().isEmpty() && choice.url().isBlank()) {
            throw new DormouseException(
                    ErrorCode.UNKNOWN_STORE,
                    "Expected a store, but store(…) was not called, or was called with an empty URL. "
                            + "Call store(\"sqlite:FILE\"), store(\"jdbc:postgresql://…\") or store(dataSource).");
        }
        Predicate<StoreProvider> fits = choice.dataSource().isPresent()
                ? provider -> provider.accepts(choice.dataSource().get())
                : provider -> provider.accepts(choice.url());
        List<StoreProvider> providers = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        StoreProvider provider =
                providers.stream().filter(fits).findFirst().orElseThrow(() -> unknown(choice, providers));
        return provider.open(new StoreConfig(
                choice.url(),
                choice.dataSource(),
                choice.schema(),
                choice.shards(),
                choice.migrate() && !choice.readOnly(),
                choice.readOnly(),
                InstantSource.system()));
    }

    private static DormouseException unknown(Choice choice, List<StoreProvider> providers) {
        String forms = providers.isEmpty()
                ? "that a module on the class path offers"
                : "of the form "
                        + providers.stream().map(StoreProvider::urlForm).collect(Collectors.joining(" or "));
        boolean isUrl = choice.dataSource().isEmpty();
        String found = isUrl ? "'" + StoreUrl.masked(choice.url()) + "'" : "a DataSource of another kind";
        String advice = (isUrl ? "Check the URL, and" : "Check")
                + " that dormouse-sqlite or dormouse-postgres is on the class path.";
        return new DormouseException(
                ErrorCode.UNKNOWN_STORE, "Expected a store " + forms + ", but got " + found + ". " + advice);
    }
}
