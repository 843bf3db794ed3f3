package dev.dormouse.examples.ratelimit;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Workflow;
import java.util.stream.IntStream;

/** A workflow that requests everything at once. The queue enforces the limit, so the code does not have to wait. */
public class SyncWorkflow implements Sync {
    static final String QUEUE = "service";

    @Override
    public int sync(String customer, int requests) {
        Service service = Workflow.activities(
                Service.class, ActivityOptions.DEFAULT.withQueue(QUEUE).withRateKey(customer));
        return Workflow.parallel(
                        IntStream.range(0, requests).boxed().toList(), 10, request -> service.send(customer, request))
                .size();
    }
}
