package dev.dormouse.examples.demo;

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

/** Where the demo takes place: a folder, which is all that it writes to, for one demo at a time. */
final class Stage {
    private final Path folder;
    private final boolean isTemporary;
    private final FileChannel lock;

    private Stage(Path folder, boolean isTemporary, FileChannel lock) {
        this.folder = folder;
        this.isTemporary = isTemporary;
        this.lock = lock;
    }

    /** @param isLasting whether the demo is to find its orders again without being told where */
    static Stage open(Options options, boolean isLasting) {
        Path folder = null;
        try {
            folder = options.folder().map(Path::of).orElseGet(() -> usual(options, isLasting));
            folder = Files.createDirectories(folder.toAbsolutePath().normalize());
            return new Stage(folder, options.folder().isEmpty() && !isLasting, lock(folder));
        } catch (IOException | UncheckedIOException | IllegalArgumentException problem) {
            throw new WentWrong(
                    "Expected to write to " + (folder == null ? options.folder().orElse("") : folder)
                            + ", but that failed (" + problem + "). Name another folder: --dir FOLDER.");
        }
    }

    /** A folder beside the program, so that a clean build takes it along; or a new one that is deleted in the end. */
    private static Path usual(Options options, boolean isLasting) {
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
        @Nullable CodeSource source = Stage.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? Path.of("target")
                    : Path.of(source.getLocation().toURI()).resolveSibling("");
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String name(Optional<String> postgres) {
        return postgres.map(url ->
                        url.equals(Options.EMBEDDED) ? "postgres" : "postgres-" + Integer.toHexString(url.hashCode()))
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
            throw new WentWrong("Expected to be the only demo in " + folder
                    + ", but another one is running there. Quit that, or name another folder: --dir FOLDER.");
        }
        return channel;
    }

    Path folder() {
        return folder;
    }

    Ledger ledger() {
        return new Ledger(folder);
    }

    String sqlite() {
        return "sqlite:" + folder.resolve("demo.db");
    }

    boolean isTemporary() {
        return isTemporary;
    }

    /** After everybody has left. */
    void clear() {
        try (lock) {
            if (isTemporary) {
                deleteAll(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("dormouse demo: Expected to delete " + folder + ", but that failed (" + e
                    + "). Delete it yourself.");
        }
    }

    /** A folder with all that is in it, if there is one. */
    static void deleteAll(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(Stage::delete);
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
