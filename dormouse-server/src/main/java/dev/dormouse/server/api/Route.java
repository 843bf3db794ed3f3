package dev.dormouse.server.api;

import java.util.Arrays;
import java.util.List;

/**
 * A line of the {@link Router}'s table.
 *
 * @param pattern below {@code /api/v1}; a part in braces stands for any text
 * @param role that it needs
 * @param changes whether it may change something
 * @param parameters that it knows, behind the question mark
 */
public record Route(
        String method, String pattern, Role role, boolean changes, List<String> parameters, Handler handler) {

    /** What answers. */
    interface Handler {
        ApiResponse answer(Call call);
    }

    static Route get(String pattern, Handler handler, String... parameters) {
        return new Route("GET", pattern, Role.READER, false, List.of(parameters), handler);
    }

    /** A question that takes more than an address. */
    static Route ask(String pattern, Handler handler, String... parameters) {
        return new Route("POST", pattern, Role.OPERATOR, false, List.of(parameters), handler);
    }

    static Route change(String method, String pattern, Role role, Handler handler, String... parameters) {
        return new Route(method, pattern, role, true, List.of(parameters), handler);
    }

    List<String> parts() {
        return Arrays.stream(pattern.substring(1).split("/", -1)).toList();
    }
}
