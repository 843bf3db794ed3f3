package dev.dormouse.store;

/**
 * An event that was published not long ago.
 *
 * @param id made by who publishes it: no other event of this name has it
 * @param payload what was published, for the engine to know; stores keep it as it is
 */
public record PastEvent(String event, String id, byte[] payload) {}
