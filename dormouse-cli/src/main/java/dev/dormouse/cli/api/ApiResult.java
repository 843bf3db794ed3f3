package dev.dormouse.cli.api;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A response of the API.
 *
 * @param place the server or store that sent it, for error messages
 */
public record ApiResult(int status, byte[] body, String place) {

    /** Returns the body as JSON. Throws if the status is 400 or higher. */
    public JsonNode accepted() {
        if (status >= 400) {
            throw refused();
        }
        return json();
    }

    private JsonNode json() {
        if (body.length == 0) {
            return ApiJson.object();
        }
        try {
            return ApiJson.MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw new CommandFailed(ExitCode.NOT_REACHABLE, notDormouse(), e);
        }
    }

    private CommandFailed refused() {
        JsonNode error = parsedOrEmpty().path("error");
        String message = error.path("message").asString("");
        if (message.isEmpty()) {
            return new CommandFailed(status == 404 ? ExitCode.NOT_REACHABLE : ExitCode.ofStatus(status), notDormouse());
        }
        String code = error.path("code").asString("");
        String where = error.path("path").asString("");
        return new CommandFailed(
                ExitCode.ofStatus(status),
                (message.startsWith("[") || code.isEmpty() ? "" : "[" + code + "] ")
                        + message
                        + (where.isEmpty() || message.contains(where) ? "" : " (at " + where + ")"));
    }

    private JsonNode parsedOrEmpty() {
        try {
            return body.length == 0 ? ApiJson.object() : ApiJson.MAPPER.readTree(body);
        } catch (JacksonException e) {
            return ApiJson.object();
        }
    }

    private String notDormouse() {
        return "Expected a response of Dormouse from " + place + ", but got status " + status
                + " and an unknown body. Check that the URL is that of a Dormouse server.";
    }

    public String text() {
        accepted();
        return new String(body, StandardCharsets.UTF_8);
    }
}
