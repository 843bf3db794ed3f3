package dev.dormouse.postgres.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a statement, set in order; a batch is one array per column. Primitive arrays, strings and bytes are
 * sent in binary form.
 */
public final class Params {
    /**
     * The longest delay: it does not overflow when it is added to any clock. Delays longer than 146,000 years are
     * shortened to it.
     */
    private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;

    private final PreparedStatement statement;
    private int last;

    public Params(PreparedStatement statement) {
        this.statement = statement;
    }

    public Params integer(int value) throws SQLException {
        statement.setInt(++last, value);
        return this;
    }

    public Params bigint(long value) throws SQLException {
        statement.setLong(++last, value);
        return this;
    }

    public Params bool(boolean value) throws SQLException {
        statement.setBoolean(++last, value);
        return this;
    }

    public Params delay(Duration value) throws SQLException {
        return bigint(Math.max(0, Math.min(Micros.of(value), LONGEST_DELAY)));
    }

    public Params text(@Nullable String value) throws SQLException {
        statement.setString(++last, checked(value));
        return this;
    }

    public Params uuid(UUID value) throws SQLException {
        statement.setObject(++last, value);
        return this;
    }

    public Params bytea(byte[] value) throws SQLException {
        statement.setBytes(++last, value);
        return this;
    }

    public Params bools(List<Boolean> values) throws SQLException {
        boolean[] all = new boolean[values.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = values.get(i);
        }
        return array(all);
    }

    public Params texts(List<String> values) throws SQLException {
        return texts(values, text -> text);
    }

    public Params uuids(List<UUID> values) throws SQLException {
        return uuids(values, id -> id);
    }

    public <E> Params integers(List<E> entries, ToIntFunction<E> column) throws SQLException {
        return array(entries.stream().mapToInt(column).toArray());
    }

    public <E> Params bigints(List<E> entries, ToLongFunction<E> column) throws SQLException {
        return array(entries.stream().mapToLong(column).toArray());
    }

    public <E> Params bigintsOrNull(List<E> entries, Function<E, @Nullable Long> column) throws SQLException {
        return array(entries.stream().map(column).toArray(Long[]::new));
    }

    public <E> Params texts(List<E> entries, Function<E, @Nullable String> column) throws SQLException {
        return array(entries.stream().map(column).map(Params::checked).toArray(String[]::new));
    }

    public <E> Params uuids(List<E> entries, Function<E, UUID> column) throws SQLException {
        statement.setArray(++last, UuidArray.of(statement.getConnection(), entries, column));
        return this;
    }

    public <E> Params byteas(List<E> entries, Function<E, byte @Nullable []> column) throws SQLException {
        byte[][] values = new byte[entries.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(entries.get(i));
        }
        return array(values);
    }

    private Params array(Object primitives) throws SQLException {
        statement.setObject(++last, primitives, Types.ARRAY);
        return this;
    }

    /**
     * Rejects text that PostgreSQL cannot store: it refuses NUL, and the driver would silently replace half of a
     * surrogate pair by "?".
     */
    private static @Nullable String checked(@Nullable String text) {
        if (text != null && !canBeHeld(text)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected text that PostgreSQL can hold, but there is a NUL or half of a surrogate pair in it. Use "
                            + "other characters in ids and names.");
        }
        return text;
    }

    private static boolean canBeHeld(String text) {
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == 0 || Character.isSurrogate(one) && !isPair(text, i)) {
                return false;
            }
            i += Character.isHighSurrogate(one) ? 1 : 0;
        }
        return true;
    }

    private static boolean isPair(String text, int place) {
        return Character.isHighSurrogate(text.charAt(place))
                && place + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(place + 1));
    }
}
