package dev.dormouse.server.api;

import java.util.List;
import java.util.Map;

/**
 * A request.
 *
 * @param method such as {@code GET}
 * @param path from {@code /api/v1} on, percent-encoded as in a URL: ids may hold slashes
 * @param query its parameters, decoded
 * @param body JSON, or nothing
 */
public record ApiRequest(String method, String path, Map<String, List<String>> query, byte[] body, Caller caller) {}
