package dev.dormouse.examples.agent;

import dev.dormouse.ActivityOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.Workflow;
import dev.dormouse.error.ActivityFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An agent that asks the model, calls the tool that the model wants, and asks again with the result, up to ten times.
 */
public class AgentWorkflow implements Agent {
    private static final int TURNS = 10;
    private static final Duration PATIENCE = Duration.ofDays(1);
    private static final Set<String> DANGEROUS = Set.of("Tools.refund");
    private static final ActivityOptions TOOL =
            ActivityOptions.DEFAULT.withRetry(RetryPolicy.DEFAULT.withMaxAttempts(3));

    private final Model model = Workflow.activities(Model.class);
    private final List<String> conversation = new ArrayList<>();
    private String waitingCall = "";
    private @Nullable Boolean decision;

    @Override
    public String solve(String task) {
        conversation.add("user: " + task);
        for (int turn = 0; turn < TURNS; turn++) {
            Model.Reply reply = model.reply(conversation);
            if (reply.tool().isEmpty()) {
                conversation.add("model: " + reply.text());
                return reply.text();
            }
            conversation.add("model: " + reply.tool() + " " + reply.text());
            conversation.add("tool: " + call(reply.tool(), reply.text()));
        }
        return "I could not find an answer.";
    }

    private String call(String tool, String argument) {
        if (DANGEROUS.contains(tool) && !isAllowed(tool + " " + argument)) {
            return "not allowed by a person";
        }
        try {
            return Workflow.activity(tool, tool, TOOL, String.class, argument); // the model names the activity
        } catch (ActivityFailedException failed) {
            return "failed: " + failed.failure().getMessage(); // the model may try something else
        }
    }

    private boolean isAllowed(String call) {
        waitingCall = call;
        decision = null;
        Workflow.await(PATIENCE, () -> decision != null);
        waitingCall = "";
        return Boolean.TRUE.equals(decision);
    }

    @Override
    public void checkDecision(boolean allowed) {
        if (waitingCall.isEmpty() || decision != null) {
            throw new IllegalStateException("No tool waits for a decision.");
        }
    }

    @Override
    public void decide(boolean allowed) {
        decision = allowed;
    }

    @Override
    public List<String> conversation() {
        return List.copyOf(conversation);
    }

    @Override
    public String waitingCall() {
        return waitingCall;
    }
}
