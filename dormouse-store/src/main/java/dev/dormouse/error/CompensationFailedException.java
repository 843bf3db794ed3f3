package dev.dormouse.error;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The exception for compensations that failed. Their exceptions are {@link #getSuppressed suppressed}, in the order in
 * which they failed. The code is COMPENSATION_FAILED.
 */
public final class CompensationFailedException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_NAMED = 5;
    private static final int MAX_TEXT = 300;

    private final String summary;

    /**
     * Creates the exception for failed compensations. Dormouse creates it; a test of workflow code may, too.
     *
     * @param ran the number of compensations that ran
     * @param failed the failed compensations, by name or number, with their exceptions, in the order in which they failed
     */
    public CompensationFailedException(int ran, List<Map.Entry<String, Exception>> failed) {
        this(ran, failed, summary(failed));
    }

    private CompensationFailedException(int ran, List<Map.Entry<String, Exception>> failed, String summary) {
        super(
                ErrorCode.COMPENSATION_FAILED,
                "Expected all compensations to return, but of " + ran + " that ran " + Sentence.of(summary)
                        + " See the suppressed exceptions, and undo manually the work of those that failed.");
        this.summary = summary;
        failed.forEach(one -> addSuppressed(one.getValue()));
    }

    private static String summary(List<Map.Entry<String, Exception>> failed) {
        String named = failed.stream()
                .limit(MAX_NAMED)
                .map(one -> one.getKey() + " with " + text(one.getValue()))
                .collect(Collectors.joining("; "));
        int more = failed.size() - MAX_NAMED;
        return failed.size() + " failed: " + named + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String text(Exception problem) {
        String text =
                problem instanceof ActivityFailedException step ? step.failure().summary() : String.valueOf(problem);
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    /** Returns the failed compensations with their exceptions, as one line. */
    public String summary() {
        return summary;
    }
}
