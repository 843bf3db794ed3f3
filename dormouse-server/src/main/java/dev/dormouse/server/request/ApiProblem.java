package dev.dormouse.server.request;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.view.ErrorView;
import org.jspecify.annotations.Nullable;

/** A request that is refused, with the status, error code and sentence for the caller. */
public final class ApiProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final ErrorCode code;
    private final String sentence;
    private final @Nullable String path;

    /**
     * Creates a problem.
     *
     * @param path the place of the mistake in the body ({@code $.at}) or among the parameters ({@code ?limit}); null if
     *     there is none
     */
    public ApiProblem(int status, ErrorCode code, String sentence, @Nullable String path) {
        super(sentence, null, false, false);
        this.status = status;
        this.code = code;
        this.sentence = sentence;
        this.path = path;
    }

    public static ApiProblem bad(String path, String sentence) {
        return new ApiProblem(400, ErrorCode.BAD_REQUEST, sentence, path);
    }

    public static ApiProblem notFound(ErrorCode code, String sentence) {
        return new ApiProblem(404, code, sentence, null);
    }

    public static ApiProblem conflict(ErrorCode code, String sentence) {
        return new ApiProblem(409, code, sentence, null);
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    public ErrorView.Problem view() {
        return ErrorView.Problem.of(code, "[" + code.label() + "] " + sentence, path);
    }
}
