package dev.dormouse.cli.term;

/** A color of a chart cell. */
enum ChartColor {
    NONE,
    DIM,
    RED,
    GREEN,
    YELLOW,
    BLUE;

    static ChartColor of(String state) {
        return switch (state) {
            case "done" -> GREEN;
            case "failed" -> RED;
            case "running" -> YELLOW;
            case "waiting", "paused" -> BLUE;
            default -> NONE;
        };
    }

    String apply(String text, TerminalStyle style) {
        return switch (this) {
            case NONE -> text;
            case DIM -> style.dim(text);
            case RED -> style.red(text);
            case GREEN -> style.green(text);
            case YELLOW -> style.yellow(text);
            case BLUE -> style.blue(text);
        };
    }
}
