package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Node;
import dev.dormouse.benchmarks.system.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts nodes, and ends those that are left. */
public final class DormouseNodes implements Nodes {
    private final Database database;
    private final List<ChildNode> children = new ArrayList<>();

    private DormouseNodes(Database database) {
        this.database = database;
    }

    public static DormouseNodes open(Database database) {
        return new DormouseNodes(database);
    }

    @Override
    public Node launch() throws Exception {
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
