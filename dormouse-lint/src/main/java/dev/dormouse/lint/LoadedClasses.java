package dev.dormouse.lint;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The jars and folders of loaded classes. */
final class LoadedClasses {
    private LoadedClasses() {}

    /** Returns the jar or folder of a class, and those of its supertypes, because an interface can be in another jar. */
    static Set<Path> paths(Class<?> type) {
        Path own = path(type);
        if (own == null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a class from a jar or a folder, but " + type.getName()
                            + " is not in one. Use WorkflowLint.of(path) with the path of its jar.");
        }
        Set<Path> paths = new LinkedHashSet<>(Set.of(own));
        addSupertypes(type, paths);
        return paths;
    }

    private static void addSupertypes(@Nullable Class<?> type, Set<Path> paths) {
        if (type == null || DormouseNames.isLibrary(type.getName().replace('.', '/'))) {
            return;
        }
        Path path = path(type);
        if (path != null) {
            paths.add(path);
        }
        addSupertypes(type.getSuperclass(), paths);
        for (Class<?> one : type.getInterfaces()) {
            addSupertypes(one, paths);
        }
    }

    /** Returns the jar or folder of a class, or null for classes of the JDK and for generated classes. */
    private static @Nullable Path path(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        try {
            return location == null || !location.getProtocol().equals("file") ? null : Path.of(location.toURI());
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException notAFile) {
            return null;
        }
    }
}
