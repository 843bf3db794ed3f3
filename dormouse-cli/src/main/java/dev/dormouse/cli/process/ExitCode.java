package dev.dormouse.cli.process;

/** How a command ends. The numbers are documented and do not change: scripts decide by them. */
public enum ExitCode {
    OK(0, "it worked"),
    FAILED(1, "it failed, or the workflow that was asked about did"),
    USAGE(2, "the command line or a value in it is wrong"),
    NOT_FOUND(3, "there is no such id"),
    CONFLICT(4, "it cannot be done now: an id is taken, a run is over, a timer has fired"),
    NOT_REACHABLE(5, "the server or store does not answer"),
    NOT_ALLOWED(6, "a token is missing or does not allow it, or everything is read-only"),
    NOT_IN_TIME(7, "there was no answer within the time that was given");

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

    /** What the status of an answer means for whoever asked. */
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
