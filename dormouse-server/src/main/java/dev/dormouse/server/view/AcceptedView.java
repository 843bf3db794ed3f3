package dev.dormouse.server.view;

/**
 * Something that was accepted.
 *
 * @param id of what was accepted
 */
public record AcceptedView(String id) {}
