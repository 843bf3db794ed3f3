package dev.dormouse.server.view;

/**
 * A DAG, as it stands in lists.
 *
 * @param steps how many it has
 */
public record DagView(String name, int version, int steps) {}
