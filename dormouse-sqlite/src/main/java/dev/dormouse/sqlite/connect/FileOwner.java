package dev.dormouse.sqlite.connect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.sqlite.sql.Quietly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock that makes this process the only one that executes the runs of a file, until it is closed or the process
 * ends. The operating system holds the lock, on a byte of {@code FILE.lock}, and releases it at once if the process
 * dies. The text in that file is the process id, for messages only.
 *
 * <p>The lock has its own file because an operating system drops all locks of a process on a file when the process
 * closes any channel to it: SQLite's locks on the database would be lost with ours, and the other way round. For the
 * same reason a second opener in this process must be refused before it touches the lock file. A system property
 * records open files, because it is shared between class loaders, which each have a copy of this class.
 *
 * <p>The owner deletes the file before it releases the lock. Another process may have opened the file before that, and
 * then gets the lock on a file that no longer has a name, while a third process creates a new file of that name. So the
 * lock counts only if the name leads to the locked file; otherwise locking starts again. The file's random size shows
 * that: opening the file a second time to compare it would release the lock when that channel is closed. A file with
 * foreign content is neither changed nor deleted.
 *
 * <p>Concurrency: {@link #of} may be called by several threads; the system property lets one of them through. {@link
 * #close} is synchronized and has an effect once.
 */
public final class FileOwner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileOwner.class);
    private static final String PROPERTY = "dev.dormouse.sqlite.open:";

    /** Beyond the text: where locks are mandatory, other processes could not read a locked range. */
    private static final long LOCKED_BYTE = 1L << 30;

    private static final int LONGEST_TEXT = 20;
    private static final int LARGEST_SIZE = 60_000;
    private static final int MOST_ATTEMPTS = 1_000;
    private static final Pattern OUR_TEXT = Pattern.compile("\\d{1,20}");

    /**
     * Channels that were opened beside the locked one, because the system properties had been replaced. Closing one
     * would release the lock.
     */
    private static final Set<FileChannel> LEFT_OPEN = ConcurrentHashMap.newKeySet();

    private final String property;
    private final Lock lock;

    private FileOwner(String property, Lock lock) {
        this.property = property;
        this.lock = lock;
    }

    /**
     * An open lock file that this process holds.
     *
     * @param size random, to tell this file from another one of the same name
     * @param isDeletable whether the file is deleted when the lock is released
     */
    private record Lock(Path path, FileChannel channel, long size, boolean isDeletable) {

        /** Returns true if the name still leads to this file. Reads attributes only and opens nothing. */
        boolean hasName() throws IOException {
            try {
                return Files.size(path) == size;
            } catch (NoSuchFileException e) {
                return false;
            }
        }

        void deleteAndClose() {
            try {
                if (isDeletable && hasName()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                LOG.debug("Could not delete {}.", path, e); // harmless: the next owner reuses it
            } finally {
                Quietly.close(channel);
            }
        }
    }

    /**
     * Takes ownership of {@code file}.
     *
     * @param file a real path
     * @throws DormouseException STORE_IN_USE if this or another process owns it
     */
    public static FileOwner of(Path file) {
        String property = PROPERTY + file;
        if (System.getProperties().putIfAbsent(property, "") != null) {
            throw usedByThisProcess(file);
        }
        try {
            return new FileOwner(property, locked(file));
        } catch (RuntimeException e) {
            System.getProperties().remove(property);
            throw e;
        }
    }

    private static Lock locked(Path file) {
        try {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                Lock lock = tryLock(file);
                boolean isOurs = false;
                try {
                    isOurs = lock.hasName();
                    if (isOurs) {
                        return lock;
                    }
                } finally {
                    if (!isOurs) {
                        lock.channel().close(); // its owner has just deleted it
                    }
                }
            }
            throw new IOException("it is deleted again and again");
        } catch (IOException e) {
            throw cannotLock(file, e);
        }
    }

    private static Lock tryLock(Path file) throws IOException {
        boolean isNew = !Files.exists(lockFile(file));
        FileChannel channel = open(file);
        boolean isOurs = false;
        try {
            lock(channel, file);
            String before = text(channel);
            if (channel.size() > 0 && !OUR_TEXT.matcher(before).matches()) {
                throw notALockFile(file);
            }
            long size = write(channel, Long.toString(ProcessHandle.current().pid()));
            isOurs = true;
            return new Lock(lockFile(file), channel, size, isNew || !before.isEmpty());
        } finally {
            if (!isOurs && !LEFT_OPEN.contains(channel)) {
                channel.close();
            }
        }
    }

    private static void lock(FileChannel channel, Path file) throws IOException {
        try {
            FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
            if (lock == null) {
                throw usedByAnotherProcess(file, text(channel));
            }
        } catch (OverlappingFileLockException e) {
            LEFT_OPEN.add(channel);
            throw usedByThisProcess(file);
        }
    }

    private static DormouseException notALockFile(Path file) {
        return new DormouseException(
                ErrorCode.STORE_UNAVAILABLE,
                "Expected " + lockFile(file) + " to be a lock file of Dormouse, but it holds something else. "
                        + "It was left as it is. Give the database another name, or move that file.");
    }

    private static DormouseException cannotLock(Path file, IOException e) {
        return new DormouseException(
                ErrorCode.STORE_UNAVAILABLE,
                "Expected to lock " + lockFile(file) + ", but that failed (" + e
                        + "). Check the permissions of the directory, and that its file system has locks.",
                e);
    }

    private static DormouseException usedByThisProcess(Path file) {
        return inUse(file, "this process has it open already", "Close that store first, or use it.");
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                lockFile(file), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static Path lockFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    private static DormouseException usedByAnotherProcess(Path file, String pid) {
        return inUse(
                file,
                pid.isEmpty() ? "another process has it open" : "process " + pid + " has it open",
                "One process at a time can use an SQLite store: stop that one, or use PostgreSQL for several.");
    }

    private static DormouseException inUse(Path file, String finding, String advice) {
        return new DormouseException(
                ErrorCode.STORE_IN_USE, "Expected " + file + " to be free, but " + finding + ". " + advice);
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(LONGEST_TEXT);
        channel.read(buffer, 0);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
    }

    /** Writes the text, padded with a random number of blanks, and returns the size of the file. */
    private static long write(FileChannel channel, String text) throws IOException {
        int size = LONGEST_TEXT + ThreadLocalRandom.current().nextInt(LARGEST_SIZE);
        byte[] padded = (text + " ".repeat(size - text.length())).getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(padded), 0);
        return size;
    }

    /** Releases the file, once: afterwards another process may own it. Closing the channel releases the lock. */
    @Override
    public synchronized void close() {
        if (lock.channel().isOpen()) {
            lock.deleteAndClose();
            System.getProperties().remove(property);
        }
    }
}
