package dev.dormouse.server.api;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

/**
 * What the document says of a route beside what the route says itself.
 *
 * @param answers what is answered, by status
 * @param body the fields of the body; those that it must have end with an exclamation mark
 */
record OpenApiOperation(String summary, Map<Integer, Type> answers, List<String> body) {}
