package dev.dormouse.store;

import static dev.dormouse.store.Samples.FAR;
import static dev.dormouse.store.Samples.LANE;
import static dev.dormouse.store.Samples.SHARD;
import static dev.dormouse.store.Samples.bytes;
import static dev.dormouse.store.Samples.newId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.store.event.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A question reaches a node that can answer it, and the first answer is returned. */
interface QuestionContract extends ContractWords {

    private static Question question(String lane) {
        return question(newId(), lane);
    }

    private static Question question(UUID id, String lane) {
        return new Question(id, newId(), "wf-" + id, lane, bytes("what about " + id + "?"));
    }

    private Question asked(String lane) {
        Question question = question(lane);
        store().ask(SHARD, question);
        tick();
        return question;
    }

    private List<UUID> open(int limit, String... lanes) {
        return store().questions(SHARD, List.of(lanes), limit).stream()
                .map(Question::id)
                .toList();
    }

    private int forget(Duration age, UUID... ids) {
        return store().forget(SHARD, List.of(ids), age);
    }

    @Test
    default void questionIsAnsweredByAnotherNode() {
        Question question = asked(LANE);
        assertThat(peer().questions(SHARD, List.of(LANE), 10))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(question);
        assertThat(store().reply(SHARD, question.id())).isEmpty();
        peer().reply(SHARD, question.id(), bytes("this"));
        assertThat(store().reply(SHARD, question.id())).contains(bytes("this"));
        assertThat(open(10, LANE)).isEmpty();
    }

    @Test
    default void questionsComeOldestFirstAcrossLanesUpToTheLimit() {
        List<UUID> ids = new ArrayList<>();
        List<UUID> random =
                IntStream.range(0, 30).mapToObj(i -> UUID.randomUUID()).toList();
        for (int i = 0; i < random.size(); i++) {
            store().ask(
                            SHARD,
                            question(random.get(i), List.of("a", "b", "other").get(i % 3)));
            tick();
            if (i % 3 != 2) {
                ids.add(random.get(i));
            }
        }
        assertThat(open(100, "b", "a")).isEqualTo(ids);
        assertThat(open(7, "b", "nothing here", "a")).isEqualTo(ids.subList(0, 7));
        assertThat(open(100, "a", "b", "a")).isEqualTo(ids);
        assertThat(open(1, "b")).containsExactly(random.get(1));
        assertThat(open(100)).isEmpty();
        assertThat(open(0, "a")).isEmpty();
        store().reply(SHARD, ids.get(0), bytes("x"));
        store().reply(SHARD, ids.get(3), bytes("x"));
        assertThat(open(2, "a", "b")).containsExactly(ids.get(1), ids.get(2));
    }

    @Test
    default void sameQuestionAgainChangesNothing() {
        Question question = asked(LANE);
        Question later = asked(LANE);
        store().ask(SHARD, question);
        store().ask(SHARD, new Question(question.id(), newId(), "other", "other", bytes("other")));
        assertThat(store().questions(SHARD, List.of(LANE, "other"), 10))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(question, later);
        store().reply(SHARD, question.id(), bytes("answer"));
        store().ask(SHARD, question);
        assertThat(store().reply(SHARD, question.id())).contains(bytes("answer"));
        assertThat(open(10, LANE)).containsExactly(later.id());
    }

    @Test
    default void firstAnswerStays() {
        Question question = asked(LANE);
        store().reply(SHARD, question.id(), bytes("first"));
        peer().reply(SHARD, question.id(), bytes("second"));
        assertThat(store().reply(SHARD, question.id())).contains(bytes("first"));
    }

    @Test
    default void emptyAnswerIsAnAnswerAndStays() {
        Question question = asked(LANE);
        store().reply(SHARD, question.id(), bytes(""));
        store().reply(SHARD, question.id(), bytes("second"));
        assertThat(store().reply(SHARD, question.id())).contains(bytes(""));
        assertThat(open(10, LANE)).isEmpty();
    }

    @Test
    default void answerToAnUnknownQuestionIsHarmless() {
        UUID nobodys = newId();
        store().reply(SHARD, nobodys, bytes("x"));
        assertThat(store().reply(SHARD, nobodys)).isEmpty();
        Question question = question(nobodys, LANE);
        store().ask(SHARD, question);
        assertThat(store().reply(SHARD, nobodys)).isEmpty();
        assertThat(open(10, LANE)).containsExactly(nobodys);
    }

    @Test
    default void forgottenQuestionsAreGoneAnsweredOrNot() {
        Question answered = asked(LANE);
        Question open = asked(LANE);
        Question kept = asked(LANE);
        store().reply(SHARD, answered.id(), bytes("x"));
        assertThat(forget(FAR, answered.id(), open.id(), newId(), open.id())).isEqualTo(2);
        assertThat(store().reply(SHARD, answered.id())).isEmpty();
        assertThat(open(10, LANE)).containsExactly(kept.id());
        assertThat(forget(FAR, answered.id())).isZero();
        assertThat(forget(FAR)).isZero();
        store().reply(SHARD, open.id(), bytes("too late"));
        assertThat(store().reply(SHARD, open.id())).isEmpty();
    }

    @Test
    default void questionsThatAreTooOldAreForgotten() {
        Question old = asked(LANE);
        Question answered = asked("other");
        store().reply(SHARD, answered.id(), bytes("x"));
        Duration age = Duration.ofSeconds(1);
        passTime(age);
        Question young = asked(LANE);
        Question named = asked(LANE);
        assertThat(forget(age, named.id(), old.id())).isEqualTo(3);
        assertThat(open(10, LANE, "other")).containsExactly(young.id());
        assertThat(store().reply(SHARD, answered.id())).isEmpty();
        assertThat(forget(Duration.ofSeconds(Long.MAX_VALUE))).isZero();
        assertThat(open(10, LANE)).containsExactly(young.id());
    }

    @Test
    default void oddTextsAndLargePayloadsAreKept() {
        String odd = "it's \"odd\" \uD83D\uDC2D {}, \\ \n";
        byte[] large = Samples.randomBytes(2 * 1024 * 1024);
        Question question = new Question(newId(), newId(), odd, odd, large);
        store().ask(SHARD, question);
        Question found = store().questions(SHARD, List.of(odd), 10).get(0);
        assertThat(List.of(found.workflowId(), found.lane())).containsOnly(odd);
        assertThat(found.payload()).isEqualTo(large);
        store().reply(SHARD, question.id(), large);
        assertThat(store().reply(SHARD, question.id())).contains(large);
    }

    @Test
    default void storeKeepsItsOwnCopyOfQuestionAndAnswer() {
        byte[] payload = bytes("as it was");
        byte[] answer = bytes("as it was");
        UUID id = newId();
        store().ask(SHARD, new Question(id, newId(), "a", LANE, payload));
        payload[0] = 'X';
        assertThat(store().questions(SHARD, List.of(LANE), 1).get(0).payload()).isEqualTo(bytes("as it was"));
        store().reply(SHARD, id, answer);
        answer[0] = 'X';
        assertThat(store().reply(SHARD, id)).contains(bytes("as it was"));
    }

    @Test
    default void manyNodesThatAnswerAtOnceGiveOneAnswer() throws Exception {
        for (int round = 0; round < 10; round++) {
            Question question = asked(LANE);
            List<byte[]> seen = Together.run(8, thread -> {
                Store store = thread % 2 == 0 ? store() : peer();
                store.ask(SHARD, question);
                store.reply(SHARD, question.id(), bytes("answer of " + thread));
                return store.reply(SHARD, question.id()).orElseThrow();
            });
            assertThat(seen).allSatisfy(answer -> assertThat(answer).isEqualTo(seen.get(0)));
        }
    }

    @Test
    default void askingAnsweringAndForgettingRunConcurrently() throws Exception {
        List<Integer> forgotten = Together.run(6, thread -> {
            Store store = thread % 2 == 0 ? store() : peer();
            int mine = 0;
            for (int i = 0; i < 25; i++) {
                Question question = question(LANE);
                store.ask(SHARD, question);
                List<Question> open = new ArrayList<>(store.questions(SHARD, List.of(LANE), 5));
                Collections.shuffle(open);
                open.forEach(one -> store.reply(SHARD, one.id(), bytes("x")));
                store.reply(SHARD, question.id(), bytes("own"));
                assertThat(store.reply(SHARD, question.id())).isPresent();
                mine += store.forget(SHARD, List.of(question.id()), FAR);
            }
            return mine;
        });
        int left = store().forget(SHARD, List.of(), Duration.ZERO);
        tick();
        left += store().forget(SHARD, List.of(), Duration.ZERO);
        assertThat(forgotten.stream().mapToInt(Integer::intValue).sum() + left).isEqualTo(6 * 25);
    }
}
