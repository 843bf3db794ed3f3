package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** Finds the store for a URL or DataSource among the modules on the class path. */
final class Stores {

    /** What the builder was told of the store. */
    record Choice(String url, Optional<DataSource> dataSource, String schema, int shards, boolean migrate) {}

    private Stores() {}

    static Store open(Choice choice) {
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
                choice.migrate(),
                InstantSource.system()));
    }

    private static DormouseException unknown(Choice choice, List<StoreProvider> providers) {
        List<String> forms = providers.stream().map(StoreProvider::urlForm).toList();
        String found = choice.dataSource().isPresent()
                ? "a DataSource of another kind"
                : choice.url().isEmpty() ? "none: store(…) was not called" : "'" + choice.url() + "'";
        return new DormouseException(
                ErrorCode.UNKNOWN_STORE,
                "Expected a store of the form " + (forms.isEmpty() ? "that no module on the class path offers" : forms)
                        + ", but got " + found
                        + ". Check the URL, and that dormouse-sqlite or dormouse-postgres is on the class path.");
    }
}
