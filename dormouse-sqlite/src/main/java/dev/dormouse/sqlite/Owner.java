package dev.dormouse.sqlite;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes this process the only one that executes the runs in a file, until it is closed or the process ends, however it
 * ends: the operating system holds the lock, on a byte of {@code FILE.lock}, and takes it back from a dead process at
 * once. The text in that file says who it is, for messages only.
 *
 * <p>It is a file of its own because an operating system gives up all locks of a process on a file when the process
 * closes that file anywhere: SQLite's locks on the database would go with ours, and ours with SQLite's. For the same
 * reason a second opener in this process must be refused before it touches the lock file; the JVM's system properties
 * know who is there, also between class loaders, each of which has its own copy of this class. The file stays when the
 * lock is given up: to delete it would let two processes lock two files of the same name.
 */
final class Owner implements AutoCloseable {
    private static final String PROPERTY = "dev.dormouse.sqlite.open:";

    /** Beyond the text: where locks are mandatory, others could not read what is locked. */
    private static final long LOCKED_BYTE = 1L << 30;

    private static final int LONGEST_TEXT = 20;

    /**
     * Channels that were opened beside the one with the lock, because somebody had replaced the system properties. To
     * close one would give up the lock.
     */
    private static final Set<FileChannel> LEFT_OPEN = ConcurrentHashMap.newKeySet();

    private final String property;
    private final FileChannel channel;

    private Owner(String property, FileChannel channel) {
        this.property = property;
        this.channel = channel;
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

    private static FileChannel locked(Path file) {
        try {
            FileChannel channel = open(file);
            boolean isOurs = false;
            try {
                lock(channel, file);
                write(channel, Long.toString(ProcessHandle.current().pid()));
                isOurs = true;
                return channel;
            } finally {
                if (!isOurs && !LEFT_OPEN.contains(channel)) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw cannotLock(file, e);
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

    private static void write(FileChannel channel, String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    /** Gives the file up, once: afterwards it may be somebody else's. Closing the channel gives up the lock. */
    @Override
    public synchronized void close() {
        if (channel.isOpen()) {
            Quietly.close(channel);
            System.getProperties().remove(property);
        }
    }
}
