package dev.dormouse.sqlite.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.base.StoreException;
import java.sql.SQLException;
import java.util.Set;

/** The conversion of SQLite errors to store exceptions. Decides by result codes only, never by message texts. */
public final class SqlErrors {
    private static final int ERROR = 1;
    private static final int PERM = 3;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int TOOBIG = 18;
    private static final int CONSTRAINT = 19;
    private static final int MISMATCH = 20;
    private static final int MISUSE = 21;
    private static final int NOTADB = 26;

    private static final Set<Integer> OF_ENTRY = Set.of(TOOBIG, CONSTRAINT, MISMATCH);
    private static final Set<Integer> UNAVAILABLE = Set.of(PERM, BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN);

    private SqlErrors() {}

    /** Returns the error for a call to a closed store. */
    public static SQLException closed() {
        return new SQLException("the store is closed", null, MISUSE);
    }

    public static StoreException busy() {
        return new StoreException(
                ErrorCode.STORE_UNAVAILABLE,
                StoreTrouble.BLOCKED,
                "Expected to read the file, but another connection kept it locked. Try again in a new transaction.",
                null);
    }

    public static boolean isBusy(SQLException e) {
        return code(e) == BUSY || code(e) == LOCKED;
    }

    /** Returns true if the statement itself was wrong, such as one that releases a savepoint that does not exist. */
    public static boolean isMistake(SQLException e) {
        return code(e) == ERROR;
    }

    /**
     * Returns true if the content of one entry was refused, so that other entries of the batch can still be applied.
     */
    public static boolean isOfEntry(SQLException e) {
        return OF_ENTRY.contains(code(e));
    }

    public static StoreException of(String database, SQLException e) {
        if (e instanceof WriteLockedException) {
            return new StoreException(
                    ErrorCode.STORE_UNAVAILABLE,
                    StoreTrouble.BLOCKED,
                    "Expected the write lock of " + database + " within a moment, but another connection holds it. "
                            + "Keep transactions on this file short.",
                    e);
        }
        if (e instanceof FileReplacedException) {
            return new StoreException(
                    ErrorCode.STORE_FILE_REPLACED,
                    StoreTrouble.REPLACED,
                    "Expected " + database + " to stay in its place while it is open, but " + e.getMessage()
                            + ". Nothing is acknowledged any more. Close this store, put the file back together with its "
                            + "-wal file, and open it again.",
                    e);
        }
        return switch (code(e)) {
            case MISUSE -> new StoreException(ErrorCode.DORMOUSE_CLOSED, closed(database), e);
            case NOTADB -> new StoreException(ErrorCode.SCHEMA_DAMAGED, notADatabase(database), e);
            case CORRUPT -> new StoreException(ErrorCode.SCHEMA_DAMAGED, corrupt(database), e);
            default -> other(database, e);
        };
    }

    /** Returns the exception for an entry that was refused. */
    public static StoreException ofEntry(Exception e) {
        ErrorCode code = e instanceof DormouseException known ? known.code() : ErrorCode.STORE_FAILED;
        return new StoreException(
                code,
                "Expected an entry that the store can hold, but it was refused: " + Sentence.of(e.getMessage()),
                e);
    }

    private static StoreException other(String database, SQLException e) {
        boolean isUnavailable = UNAVAILABLE.contains(code(e));
        return new StoreException(
                isUnavailable ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED,
                trouble(e),
                "Expected SQLite to read and write " + database + ", but it says: " + Sentence.of(e.getMessage()) + " "
                        + (isUnavailable
                                ? "Check that the file and its directory can be written, and that the disk is not full."
                                : "Nothing of this transaction was applied."),
                e);
    }

    private static StoreTrouble trouble(SQLException e) {
        return switch (code(e)) {
            case FULL -> StoreTrouble.FULL;
            case PERM, READONLY, CANTOPEN -> StoreTrouble.READ_ONLY;
            case BUSY, LOCKED -> StoreTrouble.BLOCKED;
            case IOERR -> StoreTrouble.AWAY;
            default -> StoreTrouble.REFUSED;
        };
    }

    private static String closed(String database) {
        return "Expected an open store, but " + database + " was closed. Open it again.";
    }

    private static String notADatabase(String database) {
        return "Expected " + database + " to be an SQLite database, but it is something else, or its beginning is "
                + "damaged. Nothing was changed in it. Name another file, or restore a backup.";
    }

    private static String corrupt(String database) {
        return "Expected " + database + " to be whole, but SQLite finds it damaged. Stop using it, keep a copy for "
                + "inspection (pragma integrity_check tells more), and restore a backup.";
    }

    /** Returns the primary result code, without the extended bits. */
    private static int code(SQLException e) {
        return e.getErrorCode() & 0xff;
    }
}
