package dev.dormouse.demo.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.CodeSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder of a demo, which contains all files that it writes. A lock file allows one demo at a time. */
public final class DemoFolder {
    private final Path folder;
    private final boolean isTemporary;
    private final FileChannel lock;

    private DemoFolder(Path folder, boolean isTemporary, FileChannel lock) {
        this.folder = folder;
        this.isTemporary = isTemporary;
        this.lock = lock;
    }

    /** @param isLasting true if the demo keeps its orders in a default folder for the next start */
    public static DemoFolder open(DemoOptions options, boolean isLasting) {
        Path folder = null;
        try {
            folder = options.folder().map(Path::of).orElseGet(() -> usual(options, isLasting));
            folder = Files.createDirectories(folder.toAbsolutePath().normalize());
            return new DemoFolder(folder, options.folder().isEmpty() && !isLasting, lock(folder));
        } catch (IOException | UncheckedIOException | IllegalArgumentException problem) {
            throw new DemoFailure(
                    "Expected to write to " + (folder == null ? options.folder().orElse("") : folder)
                            + ", but that failed (" + problem + "). Name another folder: --dir FOLDER.");
        }
    }

    /** Returns a folder beside the program, which a clean build deletes; or a new temporary one. */
    private static Path usual(DemoOptions options, boolean isLasting) {
        if (isLasting) {
            return programFolder().resolve("demo").resolve(name(options.postgres()));
        }
        try {
            return Files.createTempDirectory("dormouse-demo");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path programFolder() {
        @Nullable CodeSource source = DemoFolder.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? Path.of("target")
                    : Path.of(source.getLocation().toURI()).resolveSibling("");
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String name(Optional<String> postgres) {
        return postgres.map(url -> url.equals(DemoOptions.EMBEDDED)
                        ? "postgres"
                        : "postgres-" + Integer.toHexString(url.hashCode()))
                .orElse("sqlite");
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("demo.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            held = null;
        }
        if (held == null) {
            channel.close();
            throw new DemoFailure("Expected to be the only demo in " + folder
                    + ", but another one is running there. Quit that, or name another folder: --dir FOLDER.");
        }
        return channel;
    }

    public Path folder() {
        return folder;
    }

    public String sqlite() {
        return "sqlite:" + folder.resolve("demo.db");
    }

    public boolean isTemporary() {
        return isTemporary;
    }

    /** Deletes the folder if it is temporary. Called after all processes have ended. */
    public void clear() {
        try (lock) {
            if (isTemporary) {
                deleteAll(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("dormouse demo: Expected to delete " + folder + ", but that failed (" + e
                    + "). Delete it yourself.");
        }
    }

    /** Deletes a folder with its contents, if it exists. */
    public static void deleteAll(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(DemoFolder::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
