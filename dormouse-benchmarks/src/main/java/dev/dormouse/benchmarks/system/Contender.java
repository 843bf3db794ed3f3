package dev.dormouse.benchmarks.system;

import dev.dormouse.benchmarks.database.BenchDatabase;
import java.util.LinkedHashMap;
import java.util.Map;

/** A system that takes part, its configuration, and its capabilities. Immutable. */
public final class Contender {
    /** The maximum number of connections of each system. */
    public static final int CONNECTIONS = 20;

    private final String name;
    private final String version;
    private final String setting;
    private final Map<Class<?>, Opener<?>> offers;

    private Contender(String name, String version, String setting, Map<Class<?>, Opener<?>> offers) {
        this.name = name;
        this.version = version;
        this.setting = setting;
        this.offers = offers;
    }

    /** Creates a system without capabilities. */
    public static Contender of(String name, String version, String setting) {
        return new Contender(name, version, setting, Map.of());
    }

    /** Returns a copy with one more capability. */
    public <C extends AutoCloseable> Contender with(Class<C> capability, Opener<? extends C> opener) {
        Map<Class<?>, Opener<?>> more = new LinkedHashMap<>(offers);
        more.put(capability, opener);
        return new Contender(name, version, setting, more);
    }

    public String name() {
        return name;
    }

    public String version() {
        return version;
    }

    /** Returns the configuration in which it is measured, in a few words. */
    public String setting() {
        return setting;
    }

    public boolean can(Class<?> capability) {
        return offers.containsKey(capability);
    }

    /** Opens the engine on an empty database. */
    public <C extends AutoCloseable> C open(Class<C> capability, BenchDatabase database) throws Exception {
        Opener<?> opener = offers.get(capability);
        if (opener == null) {
            throw new IllegalArgumentException(
                    "Expected " + name + " to offer " + capability.getSimpleName() + ", but it does not.");
        }
        return capability.cast(opener.open(database));
    }

    /** Opens an engine for one capability. */
    @FunctionalInterface
    public interface Opener<C> {
        C open(BenchDatabase database) throws Exception;
    }
}
