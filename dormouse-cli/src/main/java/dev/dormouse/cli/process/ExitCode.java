package dev.dormouse.cli.process;

/** The exit codes of commands. Scripts rely on the numbers, so they never change. */
public enum ExitCode {
    OK(0, "success"),
    FAILED(1, "the command failed, or the workflow whose result was requested failed"),
    USAGE(2, "the command line or a value in it is invalid"),
    NOT_FOUND(3, "the id does not exist"),
    CONFLICT(4, "not possible in the current state: the id is taken, the run is closed, the timer has fired"),
    NOT_REACHABLE(5, "the server or store does not respond"),
    NOT_ALLOWED(6, "the token is missing or does not permit it, or the server is read-only"),
    NOT_IN_TIME(7, "the timeout expired");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }

    /** Returns the exit code for an HTTP status of the API. */
    public static ExitCode ofStatus(int status) {
        return switch (status) {
            case 400, 405, 413, 415 -> USAGE;
            case 401, 403 -> NOT_ALLOWED;
            case 404 -> NOT_FOUND;
            case 409 -> CONFLICT;
            case 429, 502, 503 -> NOT_REACHABLE;
            case 504 -> NOT_IN_TIME;
            default -> status < 400 ? OK : FAILED;
        };
    }
}
