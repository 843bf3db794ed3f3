package dev.dormouse.internal.workflow;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Activity;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.support.Scenario;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Completion tokens that are malformed, truncated or forged. */
class ActivityTokenTest {
    @Test
    void wrongTokensAreRefusedWithAnErrorCode() {
        simulate(sim -> {
            Dormouse dormouse = Scenario.open(
                    sim,
                    (ctx, input) -> ctx.step("sign", ActivityOptions.DEFAULT, String.class, () -> {
                        sim.log(Activity.completeLater());
                        return "not counted";
                    }));
            WorkflowHandle<String> handle = Scenario.start(dormouse);
            sim.await("a token", () -> sim.log().size() == 1);
            sim.advance(Duration.ofSeconds(1));
            String token = sim.log().get(0);
            String forged = new ActivityToken("w", handle.runId(), 0, new UUID(1, 2)).text();
            String elsewhere = new ActivityToken("other", handle.runId(), 0, new UUID(1, 2)).text();
            for (String bad : new String[] {
                "",
                "x",
                "dm1-",
                "dm1-!!",
                token.substring(1),
                token.substring(0, token.length() - 1),
                token + "A",
                forged,
                elsewhere
            }) {
                assertRefused(() -> dormouse.completeActivity(bad, "x"), ErrorCode.BAD_TOKEN);
            }
            assertRefused(() -> dormouse.completeActivity(null, "x"), ErrorCode.BAD_ARGUMENT);
            assertRefused(() -> dormouse.failActivity(token, null), ErrorCode.BAD_ARGUMENT);
            dormouse.completeActivity(" " + token + "\n", "right");
            assertThat(sim.result(handle)).isEqualTo("right");
        });
    }

    private static void assertRefused(Runnable call, ErrorCode code) {
        assertClear(catchThrowable(call::run), code);
    }
}
