package dev.dormouse.internal.embedded;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Uses of a builder that are not part of its public API: by the test kit, the benchmarks and tools that know the engine.
 * The builder registers how its settings are read when its class is initialized, so that they need no public method.
 */
public final class ConfigurationAccess {
    private static volatile @Nullable Function<DormouseBuilder, NodeConfiguration> reader;

    private ConfigurationAccess() {}

    /** Sets how the settings of a builder are read. Called once, by the builder's class. */
    public static void set(Function<DormouseBuilder, NodeConfiguration> newReader) {
        reader = newReader;
    }

    private static NodeConfiguration of(DormouseBuilder builder) {
        return Objects.requireNonNull(reader, "a builder exists, so its class is initialized")
                .apply(builder);
    }

    /**
     * Opens a Dormouse on the given store, threads and random generator. The Dormouse closes the store.
     *
     * @throws dev.dormouse.error.DormouseException BAD_SETTING if a setting is out of range; BAD_ARGUMENT if a name is
     *     registered twice
     */
    public static Dormouse open(DormouseBuilder builder, Store store, Threads threads, RandomGenerator random) {
        return EmbeddedDormouse.open(of(builder), store, threads, random);
    }

    /**
     * Replays the history of a run with the code of a builder, without a store and without executing any step. Returns if
     * the code matches the history.
     *
     * @param history the events of the run, beginning with its {@link Event.RunStarted}
     * @throws dev.dormouse.internal.run.CodeMismatch if the code does not match the history
     * @throws dev.dormouse.error.DormouseException UNKNOWN_WORKFLOW_TYPE if the type of the run is not registered
     */
    public static void replay(DormouseBuilder builder, String workflowId, UUID runId, List<Event> history) {
        new HistoryReplay(of(builder)).replay(workflowId, runId, history);
    }
}
