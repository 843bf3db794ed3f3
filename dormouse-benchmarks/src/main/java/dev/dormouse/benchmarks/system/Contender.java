package dev.dormouse.benchmarks.system;

import dev.dormouse.benchmarks.database.Database;
import java.util.LinkedHashMap;
import java.util.Map;

/** An engine that takes part, the setting in which it does, and what it can do. Immutable. */
public final class Contender {
    /** How many connections each may use. */
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

    /** One that can do nothing yet. */
    public static Contender of(String name, String version, String setting) {
        return new Contender(name, version, setting, Map.of());
    }

    /** The same, which can do this too. */
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

    /** In which it is measured, in a few words. */
    public String setting() {
        return setting;
    }

    public boolean can(Class<?> capability) {
        return offers.containsKey(capability);
    }

    /** Opens the engine on an empty database. */
    public <C extends AutoCloseable> C open(Class<C> capability, Database database) throws Exception {
        Opener<?> opener = offers.get(capability);
        if (opener == null) {
            throw new IllegalArgumentException(
                    "Expected " + name + " to offer " + capability.getSimpleName() + ", but it does not.");
        }
        return capability.cast(opener.open(database));
    }

    /** Opens an engine for something that it can do. */
    @FunctionalInterface
    public interface Opener<C> {
        C open(Database database) throws Exception;
    }
}
