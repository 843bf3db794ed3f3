package dev.dormouse.store;

import java.time.Instant;

/**
 * A workflow that is data. A version of it never changes.
 *
 * @param version counts from 1
 * @param body the data, for others to know; stores keep it as it is
 * @param definedAt when the store accepted it
 */
public record Definition(String name, int version, byte[] body, Instant definedAt) {}
