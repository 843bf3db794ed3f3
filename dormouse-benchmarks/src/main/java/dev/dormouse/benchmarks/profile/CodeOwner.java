package dev.dormouse.benchmarks.profile;

import java.util.regex.Pattern;

/** The owner of the code of a frame. */
public enum CodeOwner {
    LOAD("what asks for it", "dev/dormouse/benchmarks/.*"),
    STORE("Dormouse's store", "dev/dormouse/(postgres|sqlite)/.*"),
    ENGINE("Dormouse", "dev/dormouse/.*"),
    DRIVER("driver and pool", "org/(postgresql|sqlite)/.*|com/zaxxer/.*|Java_org_sqlite.*|sqlite3.*"),
    JSON("JSON", "tools/jackson/.*|com/fasterxml/.*"),
    KERNEL("kernel", ".*_\\[k]"),
    JDK("JDK", "(java|javax|jdk|sun)/.*"),
    MACHINE("virtual machine", ".*");

    private final String title;
    private final Pattern frames;

    CodeOwner(String title, String frames) {
        this.title = title;
        this.frames = Pattern.compile(frames);
    }

    public String title() {
        return title;
    }

    public static CodeOwner of(String frame) {
        for (CodeOwner room : values()) {
            if (room.frames.matcher(frame).matches()) {
                return room;
            }
        }
        return MACHINE;
    }
}
