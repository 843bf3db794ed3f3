package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.internal.history.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query to the code of a run, answered when everything recorded was replayed. */
public final class Query {
    private final String name;
    private final List<Payload> arguments;
    private @Nullable Payload answer;
    private @Nullable DormouseException problem;

    Query(String name, List<Payload> arguments) {
        this.name = name;
        this.arguments = arguments;
    }

    /** The code that answers queries. It must not block or request anything. */
    @FunctionalInterface
    public interface Reader {
        Payload answer(String name, List<Payload> arguments) throws Exception;
    }

    void answer(@Nullable Reader reader) {
        try {
            if (reader == null) {
                throw notReady();
            }
            answer = reader.answer(name, arguments);
        } catch (DormouseException refused) {
            problem = refused;
        } catch (Exception | AssertionError | LinkageError | StackOverflowError thrown) {
            problem = new DormouseException(
                    ErrorCode.QUERY_FAILED,
                    "Expected query '" + name + "' to return, but it threw " + Sentence.of(Failure.of(thrown))
                            + " The run is not affected; see the cause.",
                    thrown);
        }
    }

    private DormouseException notReady() {
        return new DormouseException(
                ErrorCode.QUERY_FAILED,
                "Expected the workflow to be ready for query '" + name
                        + "', but its constructor has not returned. Try again later.");
    }

    Payload result() {
        if (problem != null) {
            throw problem;
        } else if (answer == null) {
            throw notReady();
        }
        return answer;
    }
}
