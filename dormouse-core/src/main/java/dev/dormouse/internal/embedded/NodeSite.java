package dev.dormouse.internal.embedded;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.QueueOptions;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.run.QueueLimits;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.plugin.PluginHost;
import dev.dormouse.store.DefinitionStore;
import dev.dormouse.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node as a plugin sees it. Requests that a plugin makes before the node is open are kept and applied when it
 * opens.
 *
 * <p>Thread-safe: {@code synchronized} guards the node, the queues and the Dormouse; the task list is copy-on-write. A
 * task that is added while a sweep runs may execute for the first time in the next sweep. {@link #persist} calls the
 * node outside of the lock, because it may wait for the store.
 */
final class NodeSite implements PluginHost {
    private final Store store;
    private final ActivityOptions options;
    private final Map<String, QueueLimits> queues = new LinkedHashMap<>();
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
    private @Nullable Node node;
    private @Nullable Dormouse dormouse;

    NodeSite(Store store, ActivityOptions options) {
        this.store = store;
        this.options = options;
    }

    synchronized void opened(Node newNode, Dormouse newDormouse) {
        node = newNode;
        dormouse = newDormouse;
        queues.forEach(newNode::serveQueue);
        if (!tasks.isEmpty()) {
            newNode.onSweep(this::runTasks);
        }
    }

    @Override
    public synchronized Dormouse dormouse() {
        if (dormouse == null) {
            throw new DormouseException(
                    ErrorCode.DORMOUSE_CLOSED,
                    "Expected an open Dormouse, but it is not open yet. Call open() on its builder first.");
        }
        return dormouse;
    }

    @Override
    public DefinitionStore definitions() {
        return store;
    }

    @Override
    public ActivityOptions activityOptions() {
        return options;
    }

    @Override
    public int shards() {
        return store.shards();
    }

    @Override
    public synchronized void queue(String name, QueueOptions options) {
        Ids.checkedName("queue", name);
        QueueLimits limits = EngineOptions.limits(options);
        if (!limits.equals(queues.put(name, limits)) && node != null && !node.isClosed()) {
            node.serveQueue(name, limits);
        }
    }

    @Override
    public synchronized void everySweep(Runnable newTask) {
        tasks.add(newTask);
        if (node != null) {
            node.onSweep(this::runTasks);
        }
    }

    private void runTasks() {
        tasks.forEach(Runnable::run);
    }

    @Override
    public <T> T persist(Supplier<T> question) {
        Node bound;
        synchronized (this) {
            bound = node;
        }
        return bound == null ? question.get() : bound.persist(question);
    }
}
