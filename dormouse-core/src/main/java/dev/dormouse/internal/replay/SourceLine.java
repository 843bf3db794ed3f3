package dev.dormouse.internal.replay;

import java.util.Optional;
import java.util.Set;

/** The line of the user's code from which the current call comes. */
final class SourceLine {
    private static final String INTERNAL = "dev.dormouse.internal.";
    private static final Set<String> OURS = Set.of("dev.dormouse", "dev.dormouse.codec");

    private SourceLine() {}

    static String ofCaller() {
        Optional<StackWalker.StackFrame> frame = StackWalker.getInstance()
                .walk(frames -> frames.filter(SourceLine::isUsers).findFirst());
        return frame.map(f -> f.getClassName() + "." + f.getMethodName() + "(" + f.getFileName() + ":"
                        + f.getLineNumber() + ")")
                .orElse("an unknown line");
    }

    private static boolean isUsers(StackWalker.StackFrame frame) {
        String name = frame.getClassName();
        String inPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        return !OURS.contains(inPackage)
                && !name.startsWith(INTERNAL)
                && !name.startsWith("java.")
                && !name.startsWith("jdk.")
                && !name.contains("$Proxy");
    }
}
