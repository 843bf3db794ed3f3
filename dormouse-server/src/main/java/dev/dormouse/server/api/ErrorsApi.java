package dev.dormouse.server.api;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.view.ErrorCodeView;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;

/** What error codes mean. */
final class ErrorsApi {
    private static final String FILE = "errors.properties";

    private ErrorsApi() {}

    static ApiResponse explain(Call call) {
        String asked = call.value("code");
        ErrorCode code = Arrays.stream(ErrorCode.values())
                .filter(one -> one.label().equalsIgnoreCase(asked) || one.name().equalsIgnoreCase(asked))
                .findFirst()
                .orElseThrow(() -> ApiProblem.notFound(
                        ErrorCode.NOT_FOUND,
                        "Expected an error code such as DM1003, but there is no " + Texts.shown(asked) + "."));
        return ApiResponse.ok(view(code, texts()));
    }

    static ErrorCodeView view(ErrorCode code, Properties texts) {
        return new ErrorCodeView(
                code.label(),
                code.name(),
                texts.getProperty(code.name() + ".meaning", ""),
                texts.getProperty(code.name() + ".whatToDo", ""));
    }

    static Properties texts() {
        Properties texts = new Properties();
        try (InputStream in = Objects.requireNonNull(ErrorsApi.class.getResourceAsStream(FILE))) {
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return texts;
    }
}
