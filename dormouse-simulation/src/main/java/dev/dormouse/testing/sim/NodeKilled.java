package dev.dormouse.testing.sim;

/** An error that unwinds a thread whose node was killed or whose world has ended. */
public final class NodeKilled extends Error {
    private static final long serialVersionUID = 1L;

    NodeKilled(String node) {
        super("Node " + node + " is dead.", null, false, false);
    }
}
