package dev.dormouse.schedule;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A parser for cron expressions. */
final class CronReader {
    private static final Map<String, String> MACROS = new TreeMap<>(Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *"));

    private final String expression;

    /** The text of each {@link Field}. */
    private final Map<Field, String> texts;

    /** @param expression the expression without spaces around it */
    CronReader(String expression) {
        this.expression = expression;
        this.texts = texts();
    }

    Times times() {
        return new Times(numbers(Field.HOUR), numbers(Field.MINUTE), numbers(Field.SECOND));
    }

    Days days() {
        boolean isEither = !isOpen(Field.DAY_OF_MONTH) && !isOpen(Field.DAY_OF_WEEK);
        Days days = new Days(numbers(Field.DAY_OF_MONTH), numbers(Field.MONTH), numbers(Field.DAY_OF_WEEK), isEither);
        if (!days.everCome()) {
            throw Refusal.because("Expected a date that exists in cron expression " + Refusal.quoted(expression)
                    + ", but found " + Refusal.quoted(text(Field.DAY_OF_MONTH)) + " in the day-of-month field and "
                    + Refusal.quoted(text(Field.MONTH))
                    + " in the month field, which never come together. Correct one of them.");
        }
        return days;
    }

    /**
     * Returns true if the field begins with a wildcard, even if it restricts the values, as {@code *}{@code /2} does.
     */
    boolean isOpen(Field field) {
        return text(field).startsWith("*") || text(field).equals("?");
    }

    private Numbers numbers(Field field) {
        return new FieldReader(field, expression).read(text(field));
    }

    private String text(Field field) {
        return texts.getOrDefault(field, "");
    }

    private Map<Field, String> texts() {
        List<String> written = List.of(withoutMacro().split(" ", -1));
        List<Field> fields = List.of(Field.values()).subList(written.size() == 5 ? 1 : 0, 6);
        if (written.size() != fields.size()) {
            String found = expression.isEmpty() ? "an empty one" : written.size() + " in " + Refusal.quoted(expression);
            throw Refusal.because("Expected a cron expression of 5 fields (minute, hour, day-of-month, month and"
                    + " day-of-week) or of 6 (second before them), but got " + found + ". Write all of its fields.");
        }
        Map<Field, String> texts = new EnumMap<>(Map.of(Field.SECOND, "0"));
        for (Field field : fields) {
            texts.put(field, written.get(fields.indexOf(field)));
        }
        return texts;
    }

    private String withoutMacro() {
        if (!expression.startsWith("@")) {
            return expression;
        }
        String fields = MACROS.get(expression.toLowerCase(Locale.ROOT));
        if (fields == null) {
            throw Refusal.because("Expected a cron expression of 5 or 6 fields, or one of "
                    + String.join(", ", MACROS.keySet()) + ", but got " + Refusal.quoted(expression)
                    + ". Write it as fields.");
        }
        return fields;
    }
}
