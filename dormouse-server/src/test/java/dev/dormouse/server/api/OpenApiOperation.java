package dev.dormouse.server.api;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

/**
 * The document's description of a route, in addition to what the route itself contains.
 *
 * @param answers the response types by status
 * @param body the fields of the body; required ones end with an exclamation mark
 */
record OpenApiOperation(String summary, Map<Integer, Type> answers, List<String> body) {}
