package dev.dormouse.engine;

/**
 * Who a node is.
 *
 * @param nodeId unique to this life of the process
 * @param build which build of the workflows' code it runs; nodes with the same one refuse the same runs
 */
public record NodeName(String nodeId, String build) {}
