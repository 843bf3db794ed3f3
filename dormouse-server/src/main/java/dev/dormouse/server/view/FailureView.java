package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.dormouse.internal.history.Failure;
import org.jspecify.annotations.Nullable;

/** The failure of a run or step, with the stack trace of the user's code and the details that it attached. */
public record FailureView(
        String type,
        String message,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stackTrace,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Value details) {

    public static FailureView of(Failure failure) {
        boolean isKnown = !failure.stackTrace().isEmpty() && !failure.isSealed();
        return new FailureView(
                failure.type(),
                failure.message(),
                isKnown ? failure.stackTrace() : null,
                failure.details() == null ? null : Value.of(failure.details()));
    }

    /** Returns the failure of a run that ended without an exception. */
    public static FailureView of(String kind, String reason) {
        return new FailureView(kind, reason, null, null);
    }
}
