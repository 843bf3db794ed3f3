package dev.dormouse.demo.screen;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The characters that the screen is drawn with. */
public record ScreenGlyphs(String full, String empty, String done, String open, String spinner) {
    private static final ScreenGlyphs UNICODE = new ScreenGlyphs("█", "░", "■", "□", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏");
    private static final ScreenGlyphs ASCII = new ScreenGlyphs("#", ".", "x", "-", "|/-\\");

    /** Returns the characters that the terminal can show, judging by its charset. */
    public static ScreenGlyphs of(Charset charset) {
        return charset.equals(StandardCharsets.UTF_8) ? UNICODE : ASCII;
    }

    /** Returns a bar filled up to {@code part}. */
    String bar(int length, double part) {
        int filled = (int) Math.round(Math.max(0, Math.min(1, part)) * length);
        return full.repeat(filled) + empty.repeat(length - filled);
    }

    String spinner(long step) {
        int index = (int) Math.floorMod(step, (long) spinner.length());
        return spinner.substring(index, index + 1);
    }
}
