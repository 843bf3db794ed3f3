package dev.dormouse.benchmarks.profile;

import java.util.ArrayList;
import java.util.List;

/** Stacks as a reader wants them: from the first line of Dormouse's code on, without what the compiler has put between. */
final class Frames {
    private static final String OURS = "dev/dormouse/";
    private static final String THREADS = "dev/dormouse/engine/Jvm";

    private Frames() {}

    static List<String> view(List<String> stack) {
        int first = 0;
        while (first < stack.size() && !isOurs(stack.get(first))) {
            first++;
        }
        if (first == stack.size()) {
            return stack.isEmpty() || Room.of(stack.get(0)) != Room.JDK
                    ? List.of("compiler, garbage collector, other threads of the machine")
                    : List.of("threads of the JDK");
        }
        List<String> seen = new ArrayList<>();
        for (String frame : stack.subList(first, stack.size())) {
            if (!frame.contains("$$Lambda") && !frame.contains("LambdaForm") && !frame.contains(".lambda$")) {
                seen.add(frame);
            }
        }
        return seen;
    }

    private static boolean isOurs(String frame) {
        return frame.startsWith(OURS) && !frame.startsWith(THREADS);
    }

    /** Without packages. */
    static String brief(String frame) {
        return frame.substring(frame.lastIndexOf('/') + 1).replace("_[k]", "");
    }
}
