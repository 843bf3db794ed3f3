package dev.dormouse.postgres.sql;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Arrays of UUIDs in PostgreSQL's binary form: the driver sends them as text, which costs both sides more than the rest
 * of a short entry. Through a wrapper that hides the driver's connection, they are sent as text.
 */
final class UuidArray {
    private static final int DIMENSIONS = 1;
    private static final int NO_NULLS = 0;
    private static final int FIRST_INDEX = 1;
    private static final int HEAD_INTS = 5;
    private static final int UUID_BYTES = 16;

    private UuidArray() {}

    static <E> Array of(Connection connection, List<E> entries, Function<E, UUID> column) throws SQLException {
        if (!entries.isEmpty() && connection.isWrapperFor(BaseConnection.class)) {
            return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, binary(entries, column));
        }
        return connection.createArrayOf("uuid", entries.stream().map(column).toArray());
    }

    private static <E> byte[] binary(List<E> entries, Function<E, UUID> column) {
        ByteBuffer out = ByteBuffer.allocate(HEAD_INTS * Integer.BYTES + entries.size() * (Integer.BYTES + UUID_BYTES))
                .putInt(DIMENSIONS)
                .putInt(NO_NULLS)
                .putInt(Oid.UUID)
                .putInt(entries.size())
                .putInt(FIRST_INDEX);
        for (E entry : entries) {
            UUID id = column.apply(entry);
            out.putInt(UUID_BYTES).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }
        return out.array();
    }
}
