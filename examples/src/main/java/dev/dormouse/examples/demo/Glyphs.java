package dev.dormouse.examples.demo;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The signs that the screen is drawn with. */
record Glyphs(String full, String empty, String done, String open, String spinner) {
    private static final Glyphs UNICODE = new Glyphs("█", "░", "■", "□", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏");
    private static final Glyphs ASCII = new Glyphs("#", ".", "x", "-", "|/-\\");

    /** What the terminal can show, as far as its locale tells. */
    static Glyphs of(Charset charset) {
        return charset.equals(StandardCharsets.UTF_8) ? UNICODE : ASCII;
    }

    /** A bar of which this part is full. */
    String bar(int length, double part) {
        int filled = (int) Math.round(Math.max(0, Math.min(1, part)) * length);
        return full.repeat(filled) + empty.repeat(length - filled);
    }

    String spinner(long step) {
        int index = (int) Math.floorMod(step, (long) spinner.length());
        return spinner.substring(index, index + 1);
    }
}
