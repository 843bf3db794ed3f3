package dev.dormouse.dag;

import dev.dormouse.ActivityOptions;
import dev.dormouse.QueueOptions;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.RateLimit;
import dev.dormouse.dag.model.Step;
import dev.dormouse.dag.run.DefinitionSource;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.plugin.PluginHost;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.Shards;
import dev.dormouse.store.base.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DAG definitions in the store, with a cache: a version that was read once is kept, because it never changes.
 *
 * <p>Every node that knows a definition serves the queues of its limited steps, including versions that only have old
 * runs left. Nodes look for new definitions periodically, so that such a queue is served even if the node that
 * registered the definition is gone.
 *
 * <p>Thread-safe. No lock is held during a call to the store. Two threads may read the same definition at the same
 * time, which is harmless: the first one to be cached is kept. At most one thread looks for new definitions at a time.
 */
final class DagRegistry implements DefinitionSource {
    private static final Logger LOG = LoggerFactory.getLogger(DagRegistry.class);
    private static final int PAGE = 100;
    private static final int SWEEPS_BETWEEN_LOOKS = 6;

    /** Definitions written by other nodes may become visible later than their timestamps say. */
    private static final Duration OVERLAP = Duration.ofMinutes(5);

    private final PluginHost host;
    private final Map<String, Map<Integer, Dag>> known = new ConcurrentHashMap<>();
    private final Map<String, Integer> served = new HashMap<>();
    private final AtomicReference<Instant> seen = new AtomicReference<>(Instant.EPOCH);
    private final AtomicInteger sweeps = new AtomicInteger();
    private final AtomicBoolean looking = new AtomicBoolean();

    DagRegistry(PluginHost host) {
        this.host = host;
    }

    PluginHost host() {
        return host;
    }

    // ---- writing

    /** Stores a version. Has no effect if the store has the same version with the same content. */
    void put(Dag dag) {
        if (!host.definitions().define(shard(dag.name()), dag.name(), dag.version(), bytes(dag))) {
            Dag there = find(dag.name(), dag.version()).orElseThrow(() -> unknown(dag.name(), dag.version()));
            if (!there.equals(dag)) {
                throw new DormouseException(
                        ErrorCode.DAG_CHANGED,
                        "Expected version " + dag.version() + " of DAG '" + dag.name()
                                + "' to be unchanged, because its runs use it, but its content differs. Give the "
                                + "changed definition a higher version.");
            }
        }
        learn(dag);
    }

    private static byte[] bytes(Dag dag) {
        return JsonTree.json(DagWriter.tree(dag.definition())).getBytes(StandardCharsets.UTF_8);
    }

    private int shard(String name) {
        return Shards.of(name, host.shards());
    }

    // ---- reading

    /** Called by runs: retries while the store does not respond. */
    @Override
    public DagDefinition definition(String name, int version) {
        Dag dag = known.getOrDefault(name, Map.of()).get(version);
        return (dag == null ? host.persist(() -> find(name, version)).orElseThrow(() -> unknown(name, version)) : dag)
                .definition();
    }

    @Override
    public int latest(String name) {
        return find(name, 0).orElseThrow(() -> unknown(name, 0)).version();
    }

    /**
     * Returns a definition; empty if there is none.
     *
     * @param version 0 for the latest one, which is always read from the store
     */
    Optional<Dag> find(String name, int version) {
        Optional<Dag> dag =
                host.definitions().definition(shard(name), name, version).map(this::dag);
        dag.ifPresent(this::learn);
        return dag;
    }

    private Dag dag(Definition stored) {
        Dag dag = known.getOrDefault(stored.name(), Map.of()).get(stored.version());
        return dag == null ? Dag.fromJson(new String(stored.body(), StandardCharsets.UTF_8)) : dag;
    }

    static DormouseException unknown(String name, int version) {
        return new DormouseException(
                ErrorCode.DAG_NOT_FOUND,
                "Expected a DAG '" + name + "'" + (version == 0 ? "" : " of version " + version)
                        + ", but the store has none. Register it with Dags.register(…).");
    }

    /** Returns the latest version of every DAG, sorted by name. */
    List<Dag> all() {
        Map<String, Dag> latest = new TreeMap<>();
        everySince(Instant.EPOCH)
                .dags
                .forEach(dag ->
                        latest.merge(dag.name(), dag, (one, other) -> one.version() > other.version() ? one : other));
        return List.copyOf(latest.values());
    }

    /** Definitions, and the instant from which to look for more. */
    private record Found(List<Dag> dags, Instant next) {}

    private Found everySince(Instant since) {
        List<Dag> dags = new ArrayList<>();
        Instant last = since.plus(OVERLAP);
        for (int shard = 0; shard < host.shards(); shard++) {
            Definition end = null;
            do {
                List<Definition> page = host.definitions().definitions(shard, since, end, PAGE);
                page.forEach(stored -> readable(stored).ifPresent(dags::add));
                end = page.size() < PAGE ? null : page.get(PAGE - 1);
                last = page.isEmpty()
                        ? last
                        : later(last, page.get(page.size() - 1).definedAt());
            } while (end != null);
        }
        return new Found(dags, last.minus(OVERLAP));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /**
     * A definition that this release cannot read, such as one written by a newer release, is skipped here: it affects
     * only its own runs.
     */
    private Optional<Dag> readable(Definition stored) {
        try {
            return Optional.of(dag(stored));
        } catch (DormouseException notHere) {
            LOG.warn(
                    "Version {} of DAG '{}' cannot be read by this node, which leaves its runs to other nodes: {}",
                    stored.version(),
                    stored.name(),
                    notHere.getMessage());
            return Optional.empty();
        }
    }

    // ---- queues

    /** Reads all definitions and serves their queues from now on. */
    void serveAll() {
        learnSince(Instant.EPOCH);
    }

    private void learnSince(Instant since) {
        Found found = everySince(since);
        found.dags.forEach(this::learn);
        seen.accumulateAndGet(found.next, DagRegistry::later);
    }

    /**
     * Looks for definitions that other nodes have written. Called once per sweep, but reads the store only every few
     * sweeps.
     */
    void lookForNew() {
        if (sweeps.incrementAndGet() % SWEEPS_BETWEEN_LOOKS != 0 || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            learnSince(Objects.requireNonNull(seen.get()));
        } catch (StoreException noAnswer) {
            LOG.debug("The store did not answer; will look for new DAGs later", noAnswer);
        } finally {
            looking.set(false);
        }
    }

    /**
     * Caches a definition and serves its queues. The limits of a queue are those of the highest version that has it.
     */
    private void learn(Dag dag) {
        Dag before = known.computeIfAbsent(dag.name(), any -> new ConcurrentHashMap<>())
                .putIfAbsent(dag.version(), dag);
        if (before == null) {
            serve(dag.definition());
        }
    }

    private synchronized void serve(DagDefinition dag) {
        if (dag.runLimit() > 0) {
            serve(DefinitionSource.queue(dag), dag.version(), QueueOptions.DEFAULT.withMaxTotal(dag.runLimit()));
        }
        dag.steps().stream()
                .filter(Step::isLimited)
                .forEach(step -> serve(DefinitionSource.queue(dag, step.id()), dag.version(), limits(step)));
    }

    private void serve(String queue, int version, QueueOptions limits) {
        if (served.merge(queue, version, Math::max) == version) {
            host.queue(queue, limits);
        }
    }

    private static QueueOptions limits(Step step) {
        QueueOptions limits = QueueOptions.DEFAULT.withMaxTotal(step.concurrency());
        RateLimit rate = step.rate();
        if (rate == null) {
            return limits;
        }
        return rate.key() == null
                ? limits.withRate(rate.number(), rate.period())
                : limits.withRatePerKey(rate.number(), rate.period());
    }

    @Override
    public ActivityOptions options() {
        return host.activityOptions();
    }
}
