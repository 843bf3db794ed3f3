package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.dormouse.error.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What every answer says that is none. */
public record ErrorView(Problem error) {

    /**
     * What went wrong.
     *
     * @param path of what is wrong in the body or among the parameters; left out where it is nothing of these
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
