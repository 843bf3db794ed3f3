package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The exception for compensations that failed. Their exceptions are {@link #getSuppressed suppressed}, in the order in
 * which they failed. The code is COMPENSATION_FAILED.
 */
public final class CompensationFailed extends DormouseException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_NAMED = 5;
    private static final int MAX_TEXT = 300;

    private final String summary;

    /** A compensation that failed, and its exception. */
    record Part(String name, Exception problem) {
        @Override
        public String toString() {
            String text =
                    problem instanceof ActivityFailure step ? step.failure().toString() : String.valueOf(problem);
            return name + " with " + (text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…");
        }
    }

    CompensationFailed(int ran, List<Part> failed) {
        this(ran, failed, summary(failed));
    }

    private CompensationFailed(int ran, List<Part> failed, String summary) {
        super(
                ErrorCode.COMPENSATION_FAILED,
                "Expected all compensations to return, but of " + ran + " that ran " + Sentence.of(summary)
                        + " See the suppressed exceptions, and undo manually the work of those that failed.");
        this.summary = summary;
        failed.forEach(part -> addSuppressed(part.problem()));
    }

    private static String summary(List<Part> failed) {
        String named = failed.stream().limit(MAX_NAMED).map(Part::toString).collect(Collectors.joining("; "));
        int more = failed.size() - MAX_NAMED;
        return failed.size() + " failed: " + named + (more > 0 ? "; and " + more + " more" : "");
    }

    /** Returns the failed compensations with their exceptions, as one line. */
    String summary() {
        return summary;
    }
}
