package dev.dormouse.examples.approval;

import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.terminal.Command;
import dev.dormouse.examples.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;

/**
 * A run that waits for {@code approve} until a deadline; {@code decision} returns the current state. See
 * {@link Terminal}.
 */
public final class FixedApprovalExample {
    private static final String ID = "fixed-approval-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private FixedApprovalExample() {}

    public static void main(String[] args) {
        Terminal.run(
                args,
                "sqlite:fixed-approval.db",
                Duration.ofMinutes(1),
                FixedApprovalExample::start,
                FixedApprovalExample::update);
    }

    private static void start(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(FixedApproval.class, FixedApprovalWorkflow::new)
                .open()) {
            FixedApproval approval = dormouse.workflow(FixedApproval.class, ID, ANEW);
            Instant deadline = Instant.now().plus(terminal.duration());
            WorkflowHandle<Decision> handle = dormouse.start(() -> approval.execute(deadline));
            terminal.say("Waiting. You can: approve, decision");
            terminal.obey(command -> obey(approval, command));
            terminal.say("The result: " + handle.result());
        }
    }

    /** Sends commands: this process has the interface of the workflow, but not its code. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow(FixedApproval.class)
                .open()) {
            FixedApproval approval = dormouse.workflow(FixedApproval.class, ID);
            terminal.say("Ready. You can: approve, decision");
            terminal.obey(command -> obey(approval, command));
        }
    }

    private static Object obey(FixedApproval approval, Command command) {
        return switch (command.name()) {
            case "approve" -> {
                approval.approve();
                yield "Sent.";
            }
            case "decision" -> approval.decision();
            default -> throw command.unknown("approve", "decision");
        };
    }
}
