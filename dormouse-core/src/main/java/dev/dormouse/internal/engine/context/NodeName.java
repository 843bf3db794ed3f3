package dev.dormouse.internal.engine.context;

/**
 * The identity of a node.
 *
 * @param nodeId unique to this life of the process
 * @param build the build of the workflow code that it runs; nodes with the same build refuse the same runs
 * @param display the name for people; may be empty, and need not be unique
 */
public record NodeName(String nodeId, String build, String display) {

    /** Creates the identity of a node without a display name. */
    public NodeName(String nodeId, String build) {
        this(nodeId, build, "");
    }
}
