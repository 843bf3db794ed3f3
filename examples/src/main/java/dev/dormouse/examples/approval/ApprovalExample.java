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
 * A run that waits for {@code approve}. {@code extend 30s} moves the deadline to 30 seconds from now, which may be
 * earlier than before; {@code deadline} returns it. See {@link Terminal}.
 */
public final class ApprovalExample {
    private static final String ID = "approval-1";
    private static final StartOptions ANEW = StartOptions.DEFAULT.withIdReuse(IdReuse.START_NEW);

    private ApprovalExample() {}

    public static void main(String[] args) {
        Terminal.run(
                args, "sqlite:approval.db", Duration.ofMinutes(1), ApprovalExample::start, ApprovalExample::update);
    }

    private static void start(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .workflow(Approval.class, ApprovalWorkflow::new)
                .open()) {
            Approval approval = dormouse.workflow(Approval.class, ID, ANEW);
            Instant deadline = Instant.now().plus(terminal.duration());
            WorkflowHandle<String> handle = dormouse.start(() -> approval.execute(deadline));
            terminal.say("Waiting. You can: approve, extend 30s, deadline");
            terminal.obey(command -> obey(approval, command));
            terminal.say("The result: " + handle.result());
        }
    }

    /** Sends commands: this process has the interface of the workflow, but not its code. */
    private static void update(Terminal terminal) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(terminal.store())
                .remoteWorkflow(Approval.class)
                .open()) {
            Approval approval = dormouse.workflow(Approval.class, ID);
            terminal.say("Ready. You can: approve, extend 30s, deadline");
            terminal.obey(command -> obey(approval, command));
        }
    }

    private static Object obey(Approval approval, Command command) {
        return switch (command.name()) {
            case "approve" -> {
                approval.approve();
                yield "Sent.";
            }
            case "extend" -> {
                approval.extendDeadline(Instant.now().plus(command.duration(1)));
                yield "Sent.";
            }
            case "deadline" -> "Until " + approval.deadline();
            default -> throw command.unknown("approve", "extend", "deadline");
        };
    }
}
