package dev.dormouse.dag.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions about refusals: a DormouseException with a code and a complete sentence. */
public final class RefusalAssertions {
    /** Texts that often cause trouble. */
    public static final List<String> ODD = List.of(
            "",
            " ",
            "\n",
            "\t",
            "\u0000",
            "a\u0000b",
            "\ud800",
            "\udc00x",
            "😀",
            "e\u0301",
            "\u202e",
            "\ufeff",
            "'",
            "\"",
            "`",
            "\\",
            "%s",
            "{0}",
            "${x}",
            "$",
            "$.",
            "a b",
            "a:b",
            "a/b",
            "../..",
            "<b>",
            "end",
            "x".repeat(10_000));

    private RefusalAssertions() {}

    /** Asserts that the call is refused with {@code code}. */
    public static DormouseException refused(ErrorCode code, ThrowingCallable call) {
        DormouseException refused = refused("", call);
        assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code);
        return refused;
    }

    public static DormouseException refused(String what, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).as("%s must be refused", shortened(what)).isNotNull();
        return isOne(what, thrown);
    }

    /** Asserts that the call succeeds or is refused properly. */
    public static void succeedsOrIsRefused(String what, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        if (thrown != null) {
            isOne(what, thrown);
        }
    }

    private static DormouseException isOne(String what, Throwable thrown) {
        assertThat(thrown).as(shortened(what)).isInstanceOf(DormouseException.class);
        assertThat(thrown.getMessage()).as(shortened(what)).matches("(?s)\\[DM\\d{4}] .*Expected .+,? but.+\\. .+\\.");
        return (DormouseException) thrown;
    }

    private static String shortened(String what) {
        return what.length() > 200 ? what.substring(0, 200) + "…" : what;
    }
}
