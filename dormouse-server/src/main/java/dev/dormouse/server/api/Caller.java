package dev.dormouse.server.api;

/**
 * Who asks.
 *
 * @param name as it stands in the audit log
 */
public record Caller(String name, Role role) {}
