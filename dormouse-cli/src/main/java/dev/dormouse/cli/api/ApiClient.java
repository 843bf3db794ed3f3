package dev.dormouse.cli.api;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Speaks the API of a Dormouse, wherever that is. For one thread. */
public interface ApiClient extends AutoCloseable {

    Answer call(String method, ApiPath path, @Nullable JsonNode body);

    /** Whether nobody but this process is there, so that what is started now is executed later. */
    default boolean isAlone() {
        return false;
    }

    default JsonNode get(ApiPath path) {
        return call("GET", path, null).accepted();
    }

    default JsonNode post(ApiPath path, JsonNode body) {
        return call("POST", path, body).accepted();
    }

    @Override
    void close();
}
