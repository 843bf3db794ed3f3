package dev.dormouse.cli.process;

import org.jspecify.annotations.Nullable;

/** An exception that ends a command with a sentence for the user and an exit code. */
public final class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public CommandFailed(ExitCode exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    public CommandFailed(ExitCode exitCode, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    /** Creates an error for an invalid command line or value. */
    public static CommandFailed usage(String sentence) {
        return new CommandFailed(ExitCode.USAGE, sentence);
    }
}
