package dev.dormouse.server.request;

import dev.dormouse.error.ErrorCode;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The API's JSON: a reader and a writer. */
public final class ApiJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private ApiJson() {}

    public static byte[] bytes(Object view) {
        return MAPPER.writeValueAsBytes(view);
    }

    /**
     * Parses JSON.
     *
     * @throws ApiProblem 400 if it is not JSON, with the place of the mistake
     */
    public static JsonNode parse(byte[] text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            TokenStreamLocation place = notJson.getLocation();
            throw ApiProblem.bad(
                    "$",
                    "Expected JSON, but"
                            + (place == null
                                    ? ""
                                    : " at line " + place.getLineNr() + ", column " + place.getColumnNr() + ":")
                            + " " + firstLine(notJson.getOriginalMessage()) + ". Correct it there.");
        } catch (NumberFormatException | ArithmeticException outOfRange) {
            throw ApiProblem.bad(
                    "$", "Expected numbers in a supported range, but one is too large or too small. Use another one.");
        } catch (StackOverflowError tooDeep) {
            throw new ApiProblem(
                    400, ErrorCode.BAD_REQUEST, "Expected JSON that is not nested too deeply, but it is.", "$");
        }
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("it is none");
    }
}
