package dev.dormouse.server.api;

import java.util.List;
import java.util.Map;

/**
 * A request to the API.
 *
 * @param method such as {@code GET}
 * @param path from {@code /api/v1} on, percent-encoded as in a URL, because ids may contain slashes
 * @param query the decoded parameters
 * @param body JSON, or empty
 */
public record ApiRequest(String method, String path, Map<String, List<String>> query, byte[] body, Caller caller) {}
