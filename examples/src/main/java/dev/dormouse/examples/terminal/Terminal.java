package dev.dormouse.examples.terminal;

import dev.dormouse.error.DormouseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A program that runs an example. A SQLite file belongs to one process, so that process starts the workflow and also
 * takes commands, line by line. On PostgreSQL they can be two processes:
 *
 * <pre>{@code
 * ApprovalExample                                         both, on SQLite
 * ApprovalExample start  jdbc:postgresql://… 10m          starts the workflow, executes it and waits for its end
 * ApprovalExample update jdbc:postgresql://… extend 30s   sends a command, or the commands that are typed in
 * }</pre>
 */
public final class Terminal {
    private static final int WENT_WRONG = 1;

    private enum Role {
        BOTH,
        START,
        UPDATE
    }

    private final Role role;
    private final String store;
    private final List<String> others;
    private final Duration usual;

    private Terminal(Role role, String store, List<String> others, Duration usual) {
        this.role = role;
        this.store = store;
        this.others = others;
        this.usual = usual;
    }

    /**
     * Executes the command line.
     *
     * @param usualStore the default store
     * @param usualDuration the default duration of the wait
     */
    public static void run(
            String[] args,
            String usualStore,
            Duration usualDuration,
            Consumer<Terminal> starter,
            Consumer<Terminal> updater) {
        try {
            Terminal terminal = of(args, usualStore, usualDuration);
            (terminal.role == Role.UPDATE ? updater : starter).accept(terminal);
        } catch (DormouseException | BadCommand problem) {
            System.err.println(problem.getMessage());
            System.exit(WENT_WRONG);
        }
    }

    private static Terminal of(String[] args, String usualStore, Duration usualDuration) {
        List<String> rest = new ArrayList<>(Arrays.asList(args));
        Role role = Role.BOTH;
        for (Role other : Role.values()) {
            if (!rest.isEmpty() && rest.get(0).equalsIgnoreCase(other.name())) {
                role = other;
                rest.remove(0);
            }
        }
        String store = rest.isEmpty() ? usualStore : rest.remove(0);
        return new Terminal(role, store, rest, usualDuration);
    }

    public String store() {
        return store;
    }

    /** Returns how long the workflow is to wait. */
    public Duration duration() {
        return others.isEmpty() ? usual : Command.durationOf(others.get(0));
    }

    /** Takes commands and prints the answers, until the input ends. Takes none if another process does. */
    public void obey(Function<Command, Object> orders) {
        if (role == Role.BOTH) {
            Thread reader = new Thread(() -> obeyLines(orders));
            reader.setDaemon(true);
            reader.start();
        } else if (role == Role.UPDATE && others.isEmpty()) {
            obeyLines(orders);
        } else if (role == Role.UPDATE) {
            obey(orders, new Command(others));
        }
    }

    private void obeyLines(Function<Command, Object> orders) {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        try {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (!line.isBlank()) {
                    obey(orders, new Command(List.of(line.trim().split("\\s+"))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void obey(Function<Command, Object> orders, Command command) {
        try {
            say(orders.apply(command));
        } catch (DormouseException | BadCommand refused) {
            say("No: " + refused.getMessage());
        }
    }

    public void say(Object line) {
        System.out.println(line);
    }
}
