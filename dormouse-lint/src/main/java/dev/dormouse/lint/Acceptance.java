package dev.dormouse.lint;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Findings that the user accepts, written as {@code RULE:class.method}.
 *
 * @param place the class and the method, or their beginning if {@code isPrefix}
 */
record Acceptance(Rule rule, String place, boolean isPrefix) {

    static Acceptance parse(@Nullable String text) {
        int colon = text == null ? -1 : text.indexOf(':');
        if (text == null || colon < 0 || colon == text.length() - 1) {
            throw bad(text);
        }
        String name = text.substring(0, colon).trim().toUpperCase(Locale.ROOT);
        Optional<Rule> rule = Arrays.stream(Rule.values())
                .filter(one -> one.name().equals(name))
                .findFirst();
        String place = text.substring(colon + 1).trim();
        boolean isPrefix = place.endsWith("*");
        return new Acceptance(
                rule.orElseThrow(() -> bad(text)), isPrefix ? place.substring(0, place.length() - 1) : place, isPrefix);
    }

    private static DormouseException bad(@Nullable String text) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected an accepted finding in the form RULE:class.method, such as CLOCK:com.acme.Orders.run or "
                        + "IO:com.acme.legacy.*, but got '" + text + "'. The rules are "
                        + Arrays.toString(Rule.values())
                        + ".");
    }

    boolean includes(Finding finding) {
        String name = finding.name();
        return finding.rule() == rule && (isPrefix ? name.startsWith(place) : name.equals(place));
    }
}
