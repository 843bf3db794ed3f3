package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.PercentDecoder;
import dev.dormouse.server.request.TextValues;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The table of all routes. A literal path segment takes precedence over a path parameter. Immutable. */
public final class Router {
    /** The prefix of all paths. */
    public static final String BASE = "/api/v1";

    private final List<Route> routes;

    Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    public List<Route> routes() {
        return routes;
    }

    /** A matched route and its path parameters by name. */
    record Match(Route route, Map<String, String> values) {}

    /**
     * Returns the route of a request.
     *
     * @throws ApiProblem 404 for an unknown path, 405 for a path that has other methods
     */
    Match find(String method, String path) {
        List<String> parts = parts(path);
        TreeSet<String> methods = new TreeSet<>();
        Match best = null;
        for (Route route : routes) {
            Map<String, String> values = match(route.parts(), parts);
            if (values != null && route.method().equals(method)) {
                best = best == null || values.size() < best.values().size() ? new Match(route, values) : best;
            } else if (values != null) {
                methods.add(route.method());
            }
        }
        if (best != null) {
            return best;
        } else if (!methods.isEmpty()) {
            throw new ApiProblem(
                    405,
                    ErrorCode.METHOD_NOT_ALLOWED,
                    "Expected " + String.join(" or ", methods) + ", but got " + TextValues.shown(method) + ".",
                    null);
        }
        throw ApiProblem.notFound(
                ErrorCode.NOT_FOUND,
                "Expected a path of the API, but there is none at " + TextValues.shown(path) + ". See /openapi.json.");
    }

    private static List<String> parts(String path) {
        if (!path.startsWith(BASE + "/")) {
            return List.of();
        }
        return Arrays.stream(path.substring(BASE.length() + 1).split("/", -1))
                .map(Router::decoded)
                .toList();
    }

    private static @Nullable Map<String, String> match(List<String> pattern, List<String> parts) {
        if (pattern.size() != parts.size()) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            String expected = pattern.get(i);
            if (expected.startsWith("{") && !parts.get(i).isEmpty()) {
                values.put(expected.substring(1, expected.length() - 1), parts.get(i));
            } else if (!expected.equals(parts.get(i))) {
                return null;
            }
        }
        return values;
    }

    /** Decodes a part of a path, in which a plus sign is not a blank. */
    private static String decoded(String part) {
        try {
            return PercentDecoder.decode(part);
        } catch (IllegalArgumentException malformed) {
            throw new ApiProblem(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected a path in percent-encoded UTF-8, but got " + TextValues.shown(part) + ". Encode the id.",
                    null);
        }
    }
}
