package dev.dormouse.remote;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call with one request and one answer that blocks its thread. The answer is decoded on that thread. An interrupt does
 * not end the call: it would make the outcome unknown, and the calls of other stores ignore interrupts too.
 */
final class UnaryCall<A> extends ClientCall.Listener<A> implements Executor {
    private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private @Nullable A answer;
    private @Nullable Status status;
    private @Nullable Metadata trailers;

    private UnaryCall() {}

    /**
     * Calls a method and returns its answer.
     *
     * @throws io.grpc.StatusRuntimeException if the call fails or {@code atMost} expires
     */
    static <Q, A> A run(Channel channel, MethodDescriptor<Q, A> method, Q request, Duration atMost) {
        UnaryCall<A> waiting = new UnaryCall<>();
        ClientCall<Q, A> call = channel.newCall(
                method,
                CallOptions.DEFAULT
                        .withDeadlineAfter(atMost.toNanos(), TimeUnit.NANOSECONDS)
                        .withExecutor(waiting));
        call.start(waiting, new Metadata());
        call.request(2); // the second one shows a server that sends too many answers
        call.sendMessage(request);
        call.halfClose();
        return waiting.await();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void onMessage(A message) {
        answer = message;
    }

    @Override
    public void onClose(Status end, Metadata with) {
        status = end;
        trailers = with;
    }

    private A await() {
        boolean interrupted = false;
        try {
            while (status == null) {
                try {
                    tasks.take().run();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        Status end = Objects.requireNonNull(status);
        if (!end.isOk()) {
            throw end.asRuntimeException(trailers);
        }
        if (answer == null) {
            throw Status.INTERNAL.withDescription("The server sent no answer.").asRuntimeException();
        }
        return answer;
    }
}
