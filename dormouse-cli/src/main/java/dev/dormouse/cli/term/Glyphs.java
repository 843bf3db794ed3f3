package dev.dormouse.cli.term;

/** What lines and bars are made of. */
record Glyphs(
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
    static final Glyphs UNICODE = new Glyphs("█", "✗", "▓", "░", "▒", "·", "▶", "╎", "─", "┬", "→");
    static final Glyphs ASCII = new Glyphs("#", "x", "=", "-", "~", ".", ">", "|", "-", "+", "->");

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
