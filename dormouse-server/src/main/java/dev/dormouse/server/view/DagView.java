package dev.dormouse.server.view;

/** @param steps how many it has */
public record DagView(String name, int version, int steps) {}
