package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
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
 * Makes this process the only one that executes the runs in a file, until it is closed or the process ends, however it
 * ends: the operating system holds the lock, on a byte of {@code FILE.lock}, and takes it back from a dead process at
 * once. The text in that file says who it is, for messages only.
 *
 * <p>It is a file of its own because an operating system gives up all locks of a process on a file when the process
 * closes that file anywhere: SQLite's locks on the database would go with ours, and ours with SQLite's. For the same
 * reason a second opener in this process must be refused before it touches the lock file; the JVM's system properties
 * know who is there, also between class loaders, each of which has its own copy of this class.
 *
 * <p>The owner deletes the file before it gives up the lock. Another process may have opened it before and get the lock
 * on a file that has no name any more, while a third one makes a new file of that name. So the lock counts only if the
 * name leads to the locked file, and whoever finds otherwise begins again. That can be seen by the size alone, which is
 * drawn by lot: opening the file a second time, to compare, would end with giving up the lock. A file that somebody else
 * made, and that does not look like one of ours, is neither changed nor deleted.
 */
final class Owner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Owner.class);
    private static final String PROPERTY = "dev.dormouse.sqlite.open:";

    /** Beyond the text: where locks are mandatory, others could not read what is locked. */
    private static final long LOCKED_BYTE = 1L << 30;

    private static final int LONGEST_TEXT = 20;
    private static final int LARGEST_SIZE = 60_000;
    private static final int MOST_ATTEMPTS = 1_000;
    private static final Pattern OUR_TEXT = Pattern.compile("\\d{1,20}");

    /**
     * Channels that were opened beside the one with the lock, because somebody had replaced the system properties. To
     * close one would give up the lock.
     */
    private static final Set<FileChannel> LEFT_OPEN = ConcurrentHashMap.newKeySet();

    private final String property;
    private final Lock lock;

    private Owner(String property, Lock lock) {
        this.property = property;
        this.lock = lock;
    }

    /**
     * A lock file that is open, and ours.
     *
     * @param size what nobody else's would have
     * @param isDeletable whether it goes when the lock is given up
     */
    private record Lock(Path path, FileChannel channel, long size, boolean isDeletable) {

        /** Whether the name still leads to this file. Asks for attributes only, which opens nothing. */
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
                LOG.debug("{} stays", path, e); // it does no harm: the next owner takes it
            } finally {
                Quietly.close(channel);
            }
        }
    }

    /**
     * @param file a real path
     * @throws DormouseException STORE_IN_USE when somebody else has it
     */
    static Owner of(Path file) {
        String property = PROPERTY + file;
        if (System.getProperties().putIfAbsent(property, "") != null) {
            throw usedByThisProcess(file);
        }
        try {
            return new Owner(property, locked(file));
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
                        lock.channel().close(); // its owner has deleted it just now
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

    /** Returns the size of the file, which is made different each time by blanks behind the text. */
    private static long write(FileChannel channel, String text) throws IOException {
        int size = LONGEST_TEXT + ThreadLocalRandom.current().nextInt(LARGEST_SIZE);
        byte[] padded = (text + " ".repeat(size - text.length())).getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(padded), 0);
        return size;
    }

    /** Gives the file up, once: afterwards it may be somebody else's. Closing the channel gives up the lock. */
    @Override
    public synchronized void close() {
        if (lock.channel().isOpen()) {
            lock.deleteAndClose();
            System.getProperties().remove(property);
        }
    }
}
