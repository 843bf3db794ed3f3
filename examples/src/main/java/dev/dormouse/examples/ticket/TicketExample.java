package dev.dormouse.examples.ticket;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.TimerChange;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.terminal.Command;
import dev.dormouse.examples.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * A run that waits for {@code resolve}. {@code postpone 2m lunch} postpones the escalation to 2 minutes from now, and
 * {@code postponements} lists them, including the refused ones. See {@link Terminal}.
 */
public final class TicketExample {
    private static final String ID = "ticket-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private TicketExample() {}

    public static void main(String[] args) {
        Terminal.run(args, "sqlite:ticket.db", Duration.ofMinutes(1), TicketExample::start, TicketExample::update);
    }

    private static void start(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(Ticket.class, TicketWorkflow::new)
                .activities(Pager.class, (who, ticket) -> terminal.say("To " + who + ": " + ticket + "!"))
                .open()) {
            Ticket ticket = dormouse.workflow(Ticket.class, ID, ANEW);
            Instant promised = Instant.now().plus(terminal.duration());
            WorkflowHandle<String> handle = dormouse.start(() -> ticket.handle("No coffee", promised));
            terminal.say("Waiting. You can: resolve, postpone 2m lunch, postponements");
            terminal.obey(command -> obey(ticket, command));
            terminal.say("Resolved by " + handle.result());
        }
    }

    /** Sends commands: this process has the interface of the workflow, but not its code. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow(Ticket.class)
                .open()) {
            Ticket ticket = dormouse.workflow(Ticket.class, ID);
            terminal.say("Ready. You can: resolve, postpone 2m lunch, postponements");
            terminal.obey(command -> obey(ticket, command));
        }
    }

    private static Object obey(Ticket ticket, Command command) {
        return switch (command.name()) {
            case "resolve" -> {
                ticket.resolve();
                yield "Sent.";
            }
            case "postpone" -> {
                ticket.postpone(Instant.now().plus(command.duration(1)), command.word(2));
                yield "Postponed.";
            }
            case "postponements" ->
                ticket.postponements().stream().map(TicketExample::line).collect(Collectors.joining("\n"));
            default -> throw command.unknown("resolve", "postpone", "postponements");
        };
    }

    private static String line(TimerChange change) {
        return change.at() + " " + change.reason() + ": until " + change.to() + " " + change.refusal();
    }
}
