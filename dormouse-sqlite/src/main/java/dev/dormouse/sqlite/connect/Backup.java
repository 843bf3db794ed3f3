package dev.dormouse.sqlite.connect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.sql.Quietly;
import dev.dormouse.sqlite.sql.SqlErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A copy of the whole database to a new file, made while the database is in use.
 *
 * <p>Uses {@code vacuum into}, which reads one snapshot and, in WAL mode, blocks no writer. It reads row by row, so
 * that damage makes the backup fail; a copy of the pages would contain the damage. The copy is compact and needs no log
 * beside it. SQLite does not force it to the disk; this class does that before the file gets its name.
 */
public final class Backup {
    private final ReadAccess reads;
    private final String database;

    public Backup(ReadAccess reads, String database) {
        this.reads = reads;
        this.database = database;
    }

    public void writeTo(Path target) {
        checkIsFree(target);
        Path part = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            reads.read(session ->
                    session.call("vacuum into ?").with(part.toString()).update());
            force(part, StandardOpenOption.WRITE);
            Files.move(part, target);
            forceDirectory(target);
        } catch (SQLException e) {
            throw SqlErrors.of(database, e);
        } catch (IOException e) {
            throw cannotWrite(target, e);
        } finally {
            Quietly.run(() -> Files.deleteIfExists(part));
        }
    }

    private static void checkIsFree(Path target) {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a new file for the backup, but " + target + " exists. Name another one, or delete it.");
        }
    }

    private static DormouseException cannotWrite(Path target, IOException e) {
        return new DormouseException(
                ErrorCode.STORE_UNAVAILABLE,
                "Expected to write a backup to " + target + ", but that failed (" + e
                        + "). Check the directory's permissions and the space on its disk.",
                e);
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    /** Makes the name durable too, where a system lets directories be opened. */
    private static void forceDirectory(Path target) {
        Path directory = target.toAbsolutePath().getParent();
        if (directory != null) {
            Quietly.run(() -> force(directory, StandardOpenOption.READ));
        }
    }
}
