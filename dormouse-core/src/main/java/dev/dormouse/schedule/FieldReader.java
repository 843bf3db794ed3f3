package dev.dormouse.schedule;

import dev.dormouse.error.DormouseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser for one field of a cron expression.
 *
 * @param expression the whole expression, for messages
 */
record FieldReader(Field field, String expression) {
    private static final Pattern PART =
            Pattern.compile("(?:\\*|(?<from>[0-9A-Za-z]+)(?:-(?<to>[0-9A-Za-z]+))?)(?:/(?<step>[0-9]+))?");

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    Numbers read(String text) {
        if (field.isDay() && text.equals("?")) {
            return part("*");
        }
        Numbers all = Numbers.NONE;
        for (String part : text.split(",", -1)) {
            all = all.and(part(part));
        }
        return all;
    }

    private Numbers part(String text) {
        if (field == Field.DAY_OF_MONTH && text.equalsIgnoreCase("L")) {
            return Numbers.of(Days.LAST);
        }
        Matcher part = PART.matcher(text);
        if (!part.matches()) {
            String last = field == Field.DAY_OF_MONTH ? ", or L for the last day" : "";
            throw refusal("values of " + field.range() + ", as *, a, a-b, */n, a/n or a-b/n" + last, text);
        }
        return range(part.group("from"), part.group("to"), part.group("step"));
    }

    private Numbers range(@Nullable String from, @Nullable String to, @Nullable String step) {
        int first = from == null ? field.first : value(from);
        boolean isOne = from != null && to == null && step == null;
        int last = isOne ? first : to == null ? field.last() : value(to);
        return range(first, last < first ? last + field.size : last, step == null ? 1 : step(step));
    }

    private Numbers range(int first, int last, int step) {
        Numbers all = Numbers.NONE;
        for (int number = first; number <= last; number += step) {
            all = all.and(Numbers.of(field.wrapped(number)));
        }
        return all;
    }

    private int value(String word) {
        int value = Math.max(field.named(word), number(word));
        if (value < field.first || value > field.largest()) {
            throw refusal("a value of " + field.range(), word);
        }
        return value;
    }

    /**
     * Parses a step. It must not exceed the number of values: a longer step, such as every 90 minutes, would not have
     * the intended effect.
     */
    private int step(String word) {
        int step = number(word);
        if (step < 1 || step > field.size) {
            throw refusal("a step of 1 to " + field.size, word);
        }
        return step;
    }

    /** Returns the number, or -1, which no field has, if the word is not a number. */
    private static int number(String word) {
        return NUMBER.matcher(word).matches() ? Integer.parseInt(word) : -1;
    }

    private DormouseException refusal(String expected, String found) {
        return Refusal.because("Expected " + expected + " in the " + field.label + " field of cron expression "
                + Refusal.quoted(expression) + ", but found " + Refusal.quoted(found) + ". Correct the field.");
    }
}
