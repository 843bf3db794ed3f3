package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Explanation;
import dev.dormouse.server.view.ErrorCodeView;
import java.util.Arrays;

/** What error codes mean. */
final class ErrorsApi {
    private ErrorsApi() {}

    static ApiResponse explain(Call call) {
        String asked = call.value("code");
        ErrorCode code = Arrays.stream(ErrorCode.values())
                .filter(one -> one.label().equalsIgnoreCase(asked) || one.name().equalsIgnoreCase(asked))
                .findFirst()
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.NOT_FOUND,
                        "Expected an error code such as DM1003, but there is no " + Texts.shown(asked) + "."));
        Explanation explanation = Explanation.of(code);
        return ApiResponse.ok(
                new ErrorCodeView(code.label(), code.name(), explanation.meaning(), explanation.whatToDo()));
    }
}
