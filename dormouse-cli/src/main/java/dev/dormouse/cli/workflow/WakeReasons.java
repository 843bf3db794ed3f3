package dev.dormouse.cli.workflow;

import java.util.Locale;

/** What a run's alarm stands for, in words that an instant can follow. */
final class WakeReasons {
    private WakeReasons() {}

    static String text(String reason) {
        return switch (reason.toUpperCase(Locale.ROOT)) {
            case "START" -> "starts";
            case "TIMER" -> "sleep or deadline ends";
            case "RETRY" -> "next attempt of a step";
            case "TIMEOUT" -> "execution timeout";
            case "LEASE", "CLAIMED", "PROBATION" -> "executing, lease ends";
            case "PARK", "LINGER" -> "waits in memory, at most until";
            case "MAIL" -> "mail is there";
            case "HANDOVER" -> "goes to another node";
            case "BACKOFF" -> "held back after takeovers";
            case "STUCK" -> "stuck, tried again";
            case "RATE" -> "starts, by its queue's rate";
            case "PAUSE" -> "paused activity goes on";
            default -> reason.toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
