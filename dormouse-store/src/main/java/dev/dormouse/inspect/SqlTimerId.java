package dev.dormouse.inspect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;

/**
 * The id of a timer that was set in SQL: the number that {@code timers.schedule_at} returned, and the shard key that it
 * was given. Immutable.
 *
 * @param shardKey the shard key; 0 by default
 * @param id the number, unique among the timers of its shard key
 */
public record SqlTimerId(long shardKey, long id) {
    private static final char SEPARATOR = ':';

    /**
     * Parses the text that {@link #toString} returns.
     *
     * @throws DormouseException BAD_ARGUMENT if the text is malformed
     */
    public static SqlTimerId parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        try {
            return new SqlTimerId(
                    separator < 0 ? 0 : Long.parseLong(text.substring(0, separator)),
                    Long.parseLong(text.substring(separator + 1)));
        } catch (NumberFormatException notOurs) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the id of a timer that was set in SQL, like 42, or 7:42 where its shard key is 7, but got '"
                            + text + "'.",
                    notOurs);
        }
    }

    /** Returns {@code 42}, or {@code 7:42} if the shard key is 7 instead of 0. */
    @Override
    public String toString() {
        return shardKey == 0 ? Long.toString(id) : Long.toString(shardKey) + SEPARATOR + id;
    }
}
