package dev.dormouse.server.api;

import java.util.Arrays;
import java.util.List;

/**
 * An entry of the {@link Router}'s table.
 *
 * @param pattern below {@code /api/v1}; a part in braces matches any text
 * @param role the role that it needs
 * @param changes true if it may change something
 * @param parameters the query parameters that it accepts
 */
public record Route(
        String method, String pattern, Role role, boolean changes, List<String> parameters, Handler handler) {

    /** The code that answers the calls of a route. */
    interface Handler {
        ApiResponse answer(Call call);
    }

    static Route get(String pattern, Handler handler, String... parameters) {
        return new Route("GET", pattern, Role.READER, false, List.of(parameters), handler);
    }

    /** Creates a route that changes nothing but needs a body. */
    static Route query(String pattern, Handler handler, String... parameters) {
        return new Route("POST", pattern, Role.OPERATOR, false, List.of(parameters), handler);
    }

    static Route change(String method, String pattern, Role role, Handler handler, String... parameters) {
        return new Route(method, pattern, role, true, List.of(parameters), handler);
    }

    List<String> parts() {
        return Arrays.stream(pattern.substring(1).split("/", -1)).toList();
    }
}
