package dev.dormouse.remote.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.remote.v1.StoreProto.ListenResponse;
import dev.dormouse.store.base.Notice;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NoticeStreamTest {
    /** A node that takes messages only when a test lets it. */
    private static final class SlowNode extends ServerCallStreamObserver<ListenResponse> {
        final List<ListenResponse> received = new ArrayList<>();
        boolean ready;
        boolean ended;

        @Override
        public void onNext(ListenResponse answer) {
            received.add(answer);
        }

        @Override
        public void onError(Throwable problem) {
            ended = true;
        }

        @Override
        public void onCompleted() {
            ended = true;
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}
    }

    private final SlowNode node = new SlowNode();
    private final NoticeStream stream = new NoticeStream(node);

    private static List<Notice> notices(int number) {
        return Collections.nCopies(number, new Notice.Closed(new UUID(1, 2)));
    }

    @Test
    void slowNodeGetsItsNoticesWhenItIsReady() {
        stream.add(notices(500));
        assertThat(node.received).isEmpty();
        node.ready = true;
        stream.send();
        assertThat(node.received.stream()
                        .mapToInt(ListenResponse::getNoticesCount)
                        .sum())
                .isEqualTo(500);
        assertThat(node.received).noneMatch(ListenResponse::getGap);
    }

    @Test
    void nodeThatIsTooSlowIsToldOfTheGap() {
        stream.add(notices(NoticeStream.MOST_WAITING));
        stream.add(notices(1));
        stream.add(notices(2));
        node.ready = true;
        stream.send();
        assertThat(node.received).hasSize(1);
        assertThat(node.received.get(0).getGap()).isTrue();
        assertThat(node.received.get(0).getNoticesCount()).isEqualTo(2);
        stream.add(notices(1));
        assertThat(node.received.get(1).getGap()).isFalse();
    }

    @Test
    void nothingIsSentAfterTheEnd() {
        node.ready = true;
        stream.shutDown();
        assertThat(node.ended).isTrue();
        stream.add(notices(1));
        stream.addGap();
        assertThat(node.received).isEmpty();
    }
}
