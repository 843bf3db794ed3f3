package dev.dormouse.server.api;

import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.QueryParameters;
import dev.dormouse.server.request.RequestBody;
import dev.dormouse.server.request.TextValues;
import java.util.Map;
import java.util.Objects;

/** A request that matched a route. */
record Call(Map<String, String> values, QueryParameters params, byte[] bytes, Caller caller) {

    /** Returns the value of a placeholder in the route's pattern. */
    String value(String name) {
        return TextValues.whole("{" + name + "}", Objects.requireNonNull(values.get(name)));
    }

    int number(String name) {
        try {
            return Integer.parseInt(value(name));
        } catch (NumberFormatException notANumber) {
            throw ApiProblem.bad(
                    "{" + name + "}", "Expected a whole number, but got " + TextValues.shown(value(name)) + ".");
        }
    }

    /**
     * Parses the body.
     *
     * @param known the fields that it may have
     * @throws dev.dormouse.server.request.ApiProblem 400 if it is not a JSON object or has other fields
     */
    RequestBody body(String... known) {
        return RequestBody.of(bytes, known);
    }
}
