package dev.dormouse.dag;

import dev.dormouse.ActivityOptions;
import dev.dormouse.PluginHost;
import dev.dormouse.QueueOptions;
import dev.dormouse.dag.data.Tree;
import dev.dormouse.dag.model.Definition;
import dev.dormouse.dag.model.RateLimit;
import dev.dormouse.dag.model.Step;
import dev.dormouse.dag.run.Library;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Shards;
import dev.dormouse.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions that the store has. What was read once is kept, because a version never changes. Queues of limited steps
 * are served by every node that knows the definition; nodes look for new ones now and then, so that such a queue is served
 * even if whoever registered the definition is gone.
 */
final class Registry implements Library {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int PAGE = 100;
    private static final int SWEEPS_BETWEEN_LOOKS = 6;

    /** Nodes' writes become visible a little later than the store's clock says. */
    private static final Duration OVERLAP = Duration.ofMinutes(5);

    private final PluginHost host;
    private final Map<String, Map<Integer, Dag>> known = new ConcurrentHashMap<>();
    private final Map<String, Integer> served = new ConcurrentHashMap<>();
    private Instant seen = Instant.EPOCH;
    private int sweeps;

    Registry(PluginHost host) {
        this.host = host;
    }

    PluginHost host() {
        return host;
    }

    // ---- writing

    /** Keeps a version; harmless if it is there. */
    void put(Dag dag) {
        if (!host.definitions().define(shard(dag.name()), dag.name(), dag.version(), bytes(dag))) {
            Dag there = read(dag.name(), dag.version()).orElseThrow(() -> unknown(dag.name(), dag.version()));
            if (!there.equals(dag)) {
                throw new DormouseException(
                        ErrorCode.DAG_CHANGED,
                        "Expected version " + dag.version() + " of DAG '" + dag.name()
                                + "' to be what it was, because its runs go by it, but it has changed. Give what has "
                                + "changed a higher version.");
            }
        }
        learn(dag);
    }

    private static byte[] bytes(Dag dag) {
        return Tree.json(DagWriter.tree(dag.definition())).getBytes(StandardCharsets.UTF_8);
    }

    private int shard(String name) {
        return Shards.of(name, host.shards());
    }

    // ---- reading

    @Override
    public Definition definition(String name, int version) {
        Dag dag = known.getOrDefault(name, Map.of()).get(version);
        if (dag == null) {
            dag = read(name, version).orElseThrow(() -> unknown(name, version));
            learn(dag);
        }
        return dag.definition();
    }

    @Override
    public int latest(String name) {
        return find(name, 0).orElseThrow(() -> unknown(name, 0)).version();
    }

    /** @param version 0 for the latest, which the store is always asked for */
    Optional<Dag> find(String name, int version) {
        Optional<Dag> dag = read(name, version);
        dag.ifPresent(this::learn);
        return dag;
    }

    private Optional<Dag> read(String name, int version) {
        return host.definitions().definition(shard(name), name, version).map(Registry::dag);
    }

    private static Dag dag(dev.dormouse.store.Definition stored) {
        return Dag.fromJson(new String(stored.body(), StandardCharsets.UTF_8));
    }

    static DormouseException unknown(String name, int version) {
        return new DormouseException(
                ErrorCode.DAG_NOT_FOUND,
                "Expected a DAG '" + name + "'" + (version == 0 ? "" : " of version " + version)
                        + ", but the store has none. Register it with Dags.register(…).");
    }

    /** The latest version of every DAG, by name. */
    List<Dag> all() {
        Map<String, Dag> latest = new ConcurrentHashMap<>();
        everySince(Instant.EPOCH)
                .forEach(dag ->
                        latest.merge(dag.name(), dag, (one, other) -> one.version() > other.version() ? one : other));
        return latest.values().stream().sorted(Comparator.comparing(Dag::name)).toList();
    }

    private List<Dag> everySince(Instant since) {
        List<Dag> all = new ArrayList<>();
        for (int shard = 0; shard < host.shards(); shard++) {
            dev.dormouse.store.Definition last = null;
            do {
                List<dev.dormouse.store.Definition> page = host.definitions().definitions(shard, since, last, PAGE);
                page.forEach(stored -> all.add(noted(stored)));
                last = page.size() < PAGE ? null : page.get(PAGE - 1);
            } while (last != null);
        }
        return all;
    }

    private Dag noted(dev.dormouse.store.Definition stored) {
        Instant margin = stored.definedAt().minus(OVERLAP);
        seen = margin.isAfter(seen) ? margin : seen;
        return dag(stored);
    }

    // ---- queues

    /** Serves the queues of all definitions, from now on. */
    synchronized void serveAll() {
        everySince(Instant.EPOCH).forEach(this::learn);
    }

    /** Looks for definitions that others have written. */
    void lookForNew() {
        if (++sweeps % SWEEPS_BETWEEN_LOOKS != 0) {
            return;
        }
        try {
            synchronized (this) {
                everySince(seen).forEach(this::learn);
            }
        } catch (StoreException noAnswer) {
            LOG.debug("The store did not answer; looking for new DAGs later", noAnswer);
        }
    }

    /** The limits of the highest version are those that count. */
    private void learn(Dag dag) {
        known.computeIfAbsent(dag.name(), any -> new ConcurrentHashMap<>()).putIfAbsent(dag.version(), dag);
        if (served.merge(dag.name(), dag.version(), Math::max) != dag.version()) {
            return;
        }
        Definition definition = dag.definition();
        if (definition.runLimit() > 0) {
            host.queue(Library.queue(definition), QueueOptions.DEFAULT.total(definition.runLimit()));
        }
        definition.steps().stream()
                .filter(Step::isLimited)
                .forEach(step -> host.queue(Library.queue(definition, step.id()), limits(step)));
    }

    private static QueueOptions limits(Step step) {
        QueueOptions limits = QueueOptions.DEFAULT.total(step.concurrency());
        RateLimit rate = step.rate();
        if (rate == null) {
            return limits;
        }
        return rate.key() == null
                ? limits.rate(rate.number(), rate.period())
                : limits.ratePerKey(rate.number(), rate.period());
    }

    @Override
    public ActivityOptions options() {
        return host.activityOptions();
    }
}
