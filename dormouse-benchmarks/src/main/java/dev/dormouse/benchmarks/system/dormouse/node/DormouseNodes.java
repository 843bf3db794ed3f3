package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.NodeProcess;
import dev.dormouse.benchmarks.system.NodeProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The nodes of a measurement. Ends the remaining ones when it is closed. */
public final class DormouseNodes implements NodeProcesses {
    private final BenchDatabase database;
    private final List<ChildNode> children = new ArrayList<>();

    private DormouseNodes(BenchDatabase database) {
        this.database = database;
    }

    public static DormouseNodes open(BenchDatabase database) {
        return new DormouseNodes(database);
    }

    @Override
    public NodeProcess launch() throws Exception {
        ChildNode child = ChildNode.start(database.url());
        children.add(child);
        child.awaitReady();
        return child;
    }

    @Override
    public Duration leasePeriod() {
        return Duration.ofSeconds(15);
    }

    @Override
    public void close() {
        children.forEach(ChildNode::kill);
    }
}
