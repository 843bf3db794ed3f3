package dev.dormouse.server.view;

/**
 * The response to a request that was accepted.
 *
 * @param id the id of what was accepted
 */
public record AcceptedView(String id) {}
