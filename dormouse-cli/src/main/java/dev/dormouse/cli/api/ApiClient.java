package dev.dormouse.cli.api;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client of the API, of a server or of a store in this process. Not thread-safe. */
public interface ApiClient extends AutoCloseable {

    ApiResult call(String method, ApiPath path, @Nullable JsonNode body);

    /** Returns true if no node has the store open, so that a run that is started now is executed later. */
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
