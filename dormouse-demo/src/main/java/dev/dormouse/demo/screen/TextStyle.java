package dev.dormouse.demo.screen;

/** Text styles as ANSI codes. */
enum TextStyle {
    PLAIN(""),
    DIM("2"),
    BOLD("1"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    BLUE("34"),
    ALARM("1;31");

    private final String code;

    TextStyle(String code) {
        this.code = code;
    }

    String apply(String text) {
        return this == PLAIN || text.isEmpty() ? text : "\033[" + code + "m" + text + "\033[0m";
    }
}
