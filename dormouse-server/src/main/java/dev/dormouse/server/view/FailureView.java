package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.dormouse.history.Failure;
import org.jspecify.annotations.Nullable;

/** What a run or step failed with; the stack trace is that of the user's code. */
public record FailureView(
        String type,
        String message,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stackTrace) {

    public static FailureView of(Failure failure) {
        boolean isKnown = !failure.stackTrace().isEmpty() && !failure.isSealed();
        return new FailureView(failure.type(), failure.message(), isKnown ? failure.stackTrace() : null);
    }

    /** For an end that no code has thrown. */
    public static FailureView of(String kind, String reason) {
        return new FailureView(kind, reason, null);
    }
}
