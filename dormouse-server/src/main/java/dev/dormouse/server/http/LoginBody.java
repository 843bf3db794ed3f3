package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of a login, which contains the token. */
final class LoginBody {
    private static final JsonMapper MAPPER = new JsonMapper();

    private LoginBody() {}

    static String token(byte[] body) {
        try {
            JsonNode token = MAPPER.readTree(body).get("token");
            if (token != null && token.isString()) {
                return token.stringValue();
            }
        } catch (JacksonException | NumberFormatException | StackOverflowError notJson) {
            // falls through
        }
        throw RequestRefused.with(
                400, ErrorCode.BAD_REQUEST, "Expected a body {\"token\": \"…\"}, but got another one.");
    }
}
