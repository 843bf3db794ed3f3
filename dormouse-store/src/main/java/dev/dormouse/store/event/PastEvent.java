package dev.dormouse.store.event;

/**
 * An event that was published recently.
 *
 * @param id an id from the publisher, unique among events of this name
 * @param payload the encoded event, defined by the engine; stores keep it unchanged
 */
public record PastEvent(String event, String id, byte[] payload) {}
