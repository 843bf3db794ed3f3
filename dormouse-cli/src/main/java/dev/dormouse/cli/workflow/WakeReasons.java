package dev.dormouse.cli.workflow;

import java.util.Locale;

/** Why a run has its alarm, in words. */
final class WakeReasons {
    private WakeReasons() {}

    static String text(String reason) {
        return switch (reason) {
            case "LEASE", "lease" -> "executing; lease ends";
            case "" -> "";
            default -> reason.toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
