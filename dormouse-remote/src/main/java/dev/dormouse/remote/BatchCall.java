package dev.dormouse.remote;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A batch as one call. An entry that the protocol cannot express is rejected by itself. If the answer is lost, the
 * outcome of all other entries is unknown: the caller sends the identical entries again.
 *
 * @param write converts an entry
 * @param send sends converted entries and returns one outcome for each of them
 * @param rejected creates the outcome of an entry that is refused because of its content
 * @param unknown creates the outcome of an entry that may have been applied
 */
record BatchCall<E, M, O>(
        Function<E, M> write,
        Function<List<M>, List<O>> send,
        Function<StoreException, O> rejected,
        Function<StoreException, O> unknown) {

    /** Returns one outcome for each entry, in order. Never throws because of the server. */
    List<O> run(List<E> entries) {
        List<M> messages = new ArrayList<>(entries.size());
        List<O> outcomes = new ArrayList<>(entries.size());
        boolean[] isSent = new boolean[entries.size()];
        for (int i = 0; i < isSent.length; i++) {
            O refused = null;
            try {
                messages.add(write.apply(entries.get(i)));
                isSent[i] = true;
            } catch (DormouseException notExpressible) {
                refused = rejected.apply(asStoreException(notExpressible));
            }
            if (refused != null) {
                outcomes.add(refused);
            }
        }
        if (messages.isEmpty()) {
            return outcomes;
        }
        return merged(isSent, sent(messages), outcomes);
    }

    private List<O> sent(List<M> messages) {
        try {
            List<O> outcomes = send.apply(messages);
            if (outcomes.size() == messages.size()) {
                return outcomes;
            }
            return unknown(
                    messages.size(),
                    new StoreException(
                            ErrorCode.STORE_FAILED,
                            "Expected " + messages.size() + " outcomes of the Dormouse server, but got "
                                    + outcomes.size() + ". Use the same version of Dormouse on both sides.",
                            null));
        } catch (DormouseException failed) {
            return unknown(messages.size(), asStoreException(failed));
        }
    }

    private List<O> unknown(int number, StoreException cause) {
        List<O> outcomes = new ArrayList<>(number);
        for (int i = 0; i < number; i++) {
            outcomes.add(unknown.apply(cause));
        }
        return outcomes;
    }

    private static <O> List<O> merged(boolean[] isSent, List<O> sent, List<O> refused) {
        List<O> all = new ArrayList<>(isSent.length);
        int nextSent = 0;
        for (boolean each : isSent) {
            all.add(each ? sent.get(nextSent++) : refused.get(all.size() - nextSent));
        }
        return all;
    }

    private static StoreException asStoreException(DormouseException problem) {
        if (problem instanceof StoreException known) {
            return known;
        }
        String label = "[" + problem.code().label() + "] ";
        return new StoreException(problem.code(), problem.getMessage().substring(label.length()), problem);
    }
}
