package dev.dormouse.server.view;

/** @param id of what was accepted */
public record AcceptedView(String id) {}
