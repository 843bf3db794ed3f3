package dev.dormouse.store.base;

import java.time.Instant;

/**
 * A version of a workflow that is stored as data. A stored version never changes.
 *
 * @param version the version number, from 1
 * @param body the encoded definition; stores keep it unchanged
 * @param definedAt when the store accepted the version
 */
public record Definition(String name, int version, byte[] body, Instant definedAt) {}
