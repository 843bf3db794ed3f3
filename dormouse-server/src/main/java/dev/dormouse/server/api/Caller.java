package dev.dormouse.server.api;

/**
 * The sender of a request.
 *
 * @param name as the audit log shows it
 */
public record Caller(String name, Role role) {}
