package dev.dormouse.remote;

import dev.dormouse.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** A store of which a test sees every call. */
final class Watched {
    private Watched() {}

    /** Calls {@code before} and {@code after} with the name and the arguments of each call of {@code store}. */
    static Store watch(Store store, BiConsumer<String, Object[]> before, BiConsumer<String, Object[]> after) {
        return (Store) Proxy.newProxyInstance(
                Watched.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    before.accept(method.getName(), arguments);
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        after.accept(method.getName(), arguments);
                    }
                });
    }
}
