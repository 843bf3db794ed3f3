package dev.dormouse.lint;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The class files of jars and folders. Class files that cannot be read become findings. {@code META-INF} is left out,
 * and with it the variants of multi-release jars.
 */
final class ClassFiles {
    /** Far more than a compiler writes. A compressed entry can claim any size. */
    private static final int LARGEST = 16 << 20;

    private final List<ScannedClass> scanned = new ArrayList<>();
    private final List<Finding> unreadable = new ArrayList<>();
    private final Set<String> activityInterfaces = new HashSet<>();
    private final ClassScanner scanner = new ClassScanner(activityInterfaces);

    /** Reads a jar or a folder. */
    void read(Path path) {
        int before = scanned.size() + unreadable.size();
        try {
            if (Files.isDirectory(path)) {
                folder(path);
            } else if (Files.isRegularFile(path)) {
                jar(path);
            } else {
                throw bad(path, "there is no such file. Build it first, or correct its name.");
            }
        } catch (IOException problem) {
            throw bad(path, "it cannot be read (" + problem + ").");
        }
        if (scanned.size() + unreadable.size() == before) {
            throw bad(
                    path, "it contains no class file. Build it first, or name the jar or folder with your workflows.");
        }
    }

    ScannedClasses classes() {
        return new ScannedClasses(scanned, activityInterfaces);
    }

    List<Finding> unreadable() {
        return unreadable;
    }

    private void folder(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace('\\', '/');
            if (isClass(name)) {
                try (InputStream in = Files.newInputStream(file)) {
                    add(name, in);
                }
            }
        }
    }

    private void jar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (!entry.isDirectory() && isClass(entry.getName())) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        add(entry.getName(), in);
                    } catch (IOException damaged) {
                        refuse(entry.getName(), "it cannot be unpacked: " + damaged.getMessage());
                    }
                }
            }
        }
    }

    private void add(String name, InputStream in) throws IOException {
        byte[] file = in.readNBytes(LARGEST + 1);
        if (file.length > LARGEST) {
            refuse(name, "it is larger than " + (LARGEST >> 20) + " MiB");
            return;
        }
        try {
            scanned.add(scanner.scan(file));
        } catch (RuntimeException damaged) {
            refuse(name, "it is not a class file that this version can read: " + damaged);
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class")
                && !name.endsWith("module-info.class")
                && !name.endsWith("package-info.class")
                && !name.startsWith("META-INF/");
    }

    private void refuse(String name, String reason) {
        unreadable.add(new Finding(Rule.UNREADABLE, name, "", "", 0, reason, List.of()));
    }

    private static DormouseException bad(Path path, String reason) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT, "Expected " + path + " to be a jar or a folder of classes, but " + reason);
    }
}
