package dev.dormouse.internal.engine.context;

/**
 * Who a node is.
 *
 * @param nodeId unique to this life of the process
 * @param build which build of the workflows' code it runs; nodes with the same one refuse the same runs
 * @param display what people call it; may be empty, and need not be unique
 */
public record NodeName(String nodeId, String build, String display) {

    /** One that people have no name for. */
    public NodeName(String nodeId, String build) {
        this(nodeId, build, "");
    }
}
