package dev.dormouse.server.http;

/**
 * Something as it is just now.
 *
 * @param state differs when it has changed
 * @param json to be sent then
 */
record Glance(String state, String json) {}
