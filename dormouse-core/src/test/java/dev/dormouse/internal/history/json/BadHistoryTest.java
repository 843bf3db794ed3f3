package dev.dormouse.internal.history.json;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid history files: the error names the invalid place. */
class BadHistoryTest {
    private static final String GOOD = """
            {
              "format": 1,
              "workflowId": "w",
              "runId": "00000000-0000-0001-0000-000000000002",
              "events": [
                {"kind": "RunStarted", "at": "2026-03-01T10:00:00Z", "type": "t", "input": [{"json": {"a": [1]}}],
                 "memo": {"note": "x"}, "origin": {"mail": []}},
                {"kind": "TimerScheduled", "at": "2026-03-01T10:00:00Z", "call": 0, "deadline": "2026-03-02T10:00:00Z"},
                {"kind": "MailReceived", "at": "2026-03-01T10:00:00Z", "items": [
                  {"position": 1, "key": "k", "acceptedAt": "2026-03-01T10:00:00Z",
                   "message": {"kind": "Signal", "name": "s", "arguments": []}}]},
                {"kind": "UpdateAnswered", "at": "2026-03-01T10:00:00Z", "position": 2, "rejected": false, "result": null},
                {"kind": "ChildRequested", "at": "2026-03-01T10:00:00Z", "call": 1, "workflowId": "c",
                 "runId": "00000000-0000-0001-0000-000000000003", "type": "t", "input": [], "parentClose": "ABANDON"},
                {"kind": "RunCompleted", "at": "2026-03-01T10:00:00Z", "result": {"encoding": "x", "base64": "AQID"}}
              ]
            }
            """;

    @Test
    void goodOneIsGood() {
        assertThat(HistoryJson.read(GOOD, "a test").events()).hasSize(6);
    }

    /** What is replaced by what, and where the complaint must point. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"format\": 1 | \"format\": 2 | at format of",
                "\"format\": 1, | | a field 'format' at the top",
                "\"format\": 1 | \"format\": \"1\" | at format of",
                "\"format\": 1 | \"format\": 1, \"extra\": 0 | at extra of",
                "\"workflowId\": \"w\" | \"workflowId\": 7 | at workflowId of",
                "-000000000002 | -2 | at runId of",
                "\"RunStarted\" | \"RunBegun\" | at events[0].kind of",
                "\"type\": \"t\", \"input\": [{ | \"input\": [{ | a field 'type' at events[0] of",
                "\"note\": \"x\" | \"note\": 1 | at events[0].memo.note of",
                "\"note\": \"x\" | \"note\": \"x\", \"note\": \"y\" | (line",
                "{\"mail\": []} | {\"mail\": [], \"father\": 1} | at events[0].origin.father of",
                "{\"json\": {\"a\": [1]}} | {\"json\": 1, \"encoding\": \"x\"} | at events[0].input[0].encoding of",
                "{\"json\": {\"a\": [1]}} | {} | a field 'encoding' at events[0].input[0] of",
                "{\"json\": {\"a\": [1]}} | 5 | at events[0].input[0] of",
                "\"call\": 0 | \"call\": 0.5 | at events[1].call of",
                "\"call\": 0 | \"call\": 99999999999 | at events[1].call of",
                "\"call\": 0 | \"call\": 999999999999999999999999 | at events[1].call of",
                "\"call\": 0 | \"call\": null | at events[1].call of",
                "\"2026-03-02T10:00:00Z\" | \"tomorrow\" | at events[1].deadline of",
                "\"2026-03-02T10:00:00Z\" | 5 | at events[1].deadline of",
                "\"items\": [ | \"items\": [4, | at events[2].items[0] of",
                "\"Signal\" | \"Letter\" | at events[2].items[0].message.kind of",
                "\"name\": \"s\" | \"name\": \"s\", \"names\": \"s\" | at events[2].items[0].message.names of",
                "\"rejected\": false | \"rejected\": \"no\" | at events[3].rejected of",
                "\"rejected\": false, \"result\": null | \"rejected\": false | a field 'result' at events[3] of",
                "ABANDON | KEEP | at events[4].parentClose of",
                "AQID | A!ID | at events[5].result.base64 of",
                "\"RunCompleted\" | \"RunStarted\" | at events[5]",
                "\"kind\": \"TimerScheduled\", \"at\": \"2026-03-01T10:00:00Z\", \"call\": 0, \"deadline\": \"2026-03-02T10:00:00Z\" | \"kind\": \"RunTimedOut\", \"at\": \"2026-03-01T10:00:00Z\" | at events[1] of",
            })
    void complaintNamesThePlace(String what, String replacement, String place) {
        assertThat(GOOD).contains(what);
        String bad = GOOD.replace(what, replacement == null ? "" : replacement);
        Throwable problem = catchThrowable(() -> HistoryJson.read(bad, "a test"));
        assertClear(problem, ErrorCode.BAD_HISTORY_FILE);
        assertThat(problem).hasMessageContaining(place);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {"''", "null", "[]", "{", "7", "{} {}", "not json", "{\"format\": 1, \"events\": []}"})
    void filesThatAreNotHistoriesAreRefused(String text) {
        assertClear(catchThrowable(() -> HistoryJson.read(text, "a test")), ErrorCode.BAD_HISTORY_FILE);
    }

    @Test
    void emptyTextAndNoEventsAreRefused() {
        assertClear(catchThrowable(() -> HistoryJson.read("", "a test")), ErrorCode.BAD_HISTORY_FILE);
        String none = GOOD.substring(0, GOOD.indexOf("\"events\"")) + "\"events\": []}";
        assertClear(catchThrowable(() -> HistoryJson.read(none, "a test")), ErrorCode.BAD_HISTORY_FILE);
    }

    @Test
    void damagedTextIsEitherReadOrRefusedClearly() {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder(GOOD);
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int position = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.deleteCharAt(position);
                } else {
                    text.setCharAt(position, "{}[]\",:0aZ-".charAt(random.nextInt(11)));
                }
            }
            Throwable problem = catchThrowable(() -> HistoryJson.read(text.toString(), "a test"));
            if (problem != null) {
                assertThat(problem).as(text.toString()).isInstanceOf(DormouseException.class);
                assertClear(problem, ErrorCode.BAD_HISTORY_FILE);
            }
        }
    }
}
