package dev.dormouse.server.api;

import java.util.Map;
import java.util.Objects;

/** A request that has found its route. */
record Call(Map<String, String> values, Params params, byte[] bytes, Caller caller) {

    /** What a brace of the route's pattern stands for. */
    String value(String name) {
        return Texts.whole("{" + name + "}", Objects.requireNonNull(values.get(name)));
    }

    int number(String name) {
        try {
            return Integer.parseInt(value(name));
        } catch (NumberFormatException notANumber) {
            throw ApiProblem.bad(
                    "{" + name + "}", "Expected a whole number, but got " + Texts.shown(value(name)) + ".");
        }
    }

    /** @param known the fields that it may have */
    Body body(String... known) {
        return Body.of(bytes, known);
    }
}
