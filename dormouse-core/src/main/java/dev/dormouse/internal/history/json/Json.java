package dev.dormouse.internal.history.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON mappers of history files: they keep numbers exactly and refuse duplicate fields and trailing text. */
final class Json {
    /** More than the nesting depth that {@link #PLAIN} allows, so that every payload that it reads fits into a file. */
    private static final int DEEPEST = 2_000;

    /** For payloads. */
    static final JsonMapper PLAIN = exact(JsonFactory.builder().build());

    /** For files. */
    static final JsonMapper FILE = exact(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build());

    private Json() {}

    private static JsonMapper exact(JsonFactory factory) {
        return JsonMapper.builder(factory)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }
}
