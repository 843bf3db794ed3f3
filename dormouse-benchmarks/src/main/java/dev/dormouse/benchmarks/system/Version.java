package dev.dormouse.benchmarks.system;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which version of a library is on the class path: the one in the name of its jar. */
public final class Version {
    private static final Pattern JAR = Pattern.compile(".*?-(\\d[\\w.-]*)\\.jar");

    private Version() {}

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
