package dev.dormouse.benchmarks.system;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a library on the class path, from the name of its jar. */
public final class LibraryVersion {
    private static final Pattern JAR = Pattern.compile(".*?-(\\d[\\w.-]*)\\.jar");

    private LibraryVersion() {}

    public static String of(Class<?> some) {
        var source = some.getProtectionDomain().getCodeSource();
        if (source == null) {
            return "unknown";
        }
        Matcher jar = JAR.matcher(
                String.valueOf(Path.of(source.getLocation().getPath()).getFileName()));
        return jar.matches() ? jar.group(1) : "here";
    }
}
