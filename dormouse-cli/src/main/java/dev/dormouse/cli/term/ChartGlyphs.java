package dev.dormouse.cli.term;

/** The characters of charts. */
record ChartGlyphs(
        String done,
        String failed,
        String running,
        String waiting,
        String paused,
        String pause,
        String open,
        String mark,
        String axis,
        String tick,
        String arrow) {
    static final ChartGlyphs UNICODE = new ChartGlyphs("█", "✗", "▓", "░", "▒", "·", "▶", "╎", "─", "┬", "→");
    static final ChartGlyphs ASCII = new ChartGlyphs("#", "x", "=", "-", "~", ".", ">", "|", "-", "+", "->");

    String of(String state) {
        return switch (state) {
            case "failed" -> done;
            case "running" -> running;
            case "waiting" -> waiting;
            case "paused" -> paused;
            default -> done;
        };
    }
}
