package dev.dormouse.cli.operate;

import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TerminalStyle;
import dev.dormouse.cli.term.Text;

/**
 * A result of a check.
 *
 * @param advice what to do; empty if the state is {@link State#GOOD}
 */
record Finding(State state, String check, String found, String advice) {

    /** The severity. */
    enum State {
        GOOD,
        ODD,
        BAD
    }

    static Finding good(String check, String found) {
        return new Finding(State.GOOD, check, found, "");
    }

    static Finding odd(String check, String found, String advice) {
        return new Finding(State.ODD, check, found, advice);
    }

    static Finding bad(String check, String found, String advice) {
        return new Finding(State.BAD, check, found, advice);
    }

    void print(Screen screen) {
        TerminalStyle style = screen.style();
        String tick = switch (state) {
            case GOOD -> style.green(style.symbol("✓", "ok"));
            case ODD -> style.yellow("!");
            case BAD -> style.red(style.symbol("✗", "x"));
        };
        screen.line(tick + " " + style.bold(String.format("%-12s", check)) + " " + Text.clean(found));
        if (!advice.isEmpty()) {
            screen.line("  " + " ".repeat(13) + Text.clean(advice));
        }
    }
}
