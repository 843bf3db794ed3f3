package dev.dormouse.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Looks at errors as a user does: a code, and one sentence that needs no stack trace. */
public final class Errors {
    private Errors() {}

    public static AbstractStringAssert<?> assertError(ErrorCode code, ThrowingCallable call) {
        DormouseException e = catchThrowableOfType(DormouseException.class, call);
        assertThat(e).isNotNull();
        assertThat(e.code()).isEqualTo(code);
        return assertThat(e.getMessage()).startsWith("[" + code.label() + "] Expected ");
    }
}
