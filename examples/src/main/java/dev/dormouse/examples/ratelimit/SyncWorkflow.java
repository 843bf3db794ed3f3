package dev.dormouse.examples.ratelimit;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Workflow;
import java.util.stream.IntStream;

/** Requests everything at once. The queue knows the limit, and no code has to wait for it. */
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
