package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The body of every error response. */
public record ErrorView(Problem error) {

    /**
     * The error.
     *
     * @param path the place of the mistake in the body or among the parameters; left out if there is none
     */
    public record Problem(
            String code,
            String name,
            String message,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String path) {

        public static Problem of(ErrorCode code, String message, @Nullable String path) {
            return new Problem(code.label(), code.name(), message, path);
        }
    }
}
