package dev.dormouse.codec;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * The default codec: JSON by Jackson, without class names. Thread-safe.
 *
 * <p>It keeps records, enums, collections, and the state of other classes: their getters and their fields, including
 * private ones, except fields that are {@code transient} or annotated with {@code @JsonIgnore}. Times keep their zone
 * or offset.
 *
 * <p>A class that is not a record is read back by a constructor without parameters, of any visibility, or by a public
 * constructor with the names of the properties. A value of which nothing would be written, such as a lambda, is
 * refused.
 */
public final class JacksonCodec implements PayloadCodec {
    private static final String ENCODING = "json";
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final ObjectMapper mapper;

    /** Creates a codec with its own mapper, which never loads a class by a name in the data. */
    public JacksonCodec() {
        this(JsonMapper.builder()
                .polymorphicTypeValidator(
                        BasicPolymorphicTypeValidator.builder().build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .changeDefaultVisibility(usual -> new AllFields())
                .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(
                        DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
                        DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
                .addModule(new EmptyBeans())
                .build());
    }

    /**
     * Creates a codec with the given mapper, which alone decides what is written. By default, a Jackson 3 mapper does
     * not write private fields without getters, and refuses nothing.
     */
    public JacksonCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Payload encode(@Nullable Object value) {
        try {
            return new Payload(ENCODING, mapper.writeValueAsBytes(value));
        } catch (JacksonException | StackOverflowError thrown) {
            JacksonProblem problem = new JacksonProblem(thrown);
            throw new DormouseException(
                    ErrorCode.PAYLOAD_NOT_SERIALIZABLE,
                    "Expected a value that can be written as JSON, but " + describe(value) + " cannot: "
                            + Sentence.of(problem.whileWriting())
                            + " Use a record or a bean, mark fields that need not be kept as transient, or register a codec "
                            + "that knows the type.",
                    problem.cause());
        }
    }

    /**
     * Encodes a value with the type ids of its elements, if {@code @JsonTypeInfo} on their declared type requires them.
     * A value that is not of the declared type, such as a list of maps instead of records, is encoded without the
     * declared type.
     *
     * @param value the value; may be null
     * @return the value as JSON
     * @throws DormouseException PAYLOAD_NOT_SERIALIZABLE if the value cannot be encoded
     */
    @Override
    public Payload encode(@Nullable Object value, Type type) {
        if (value == null || type instanceof Class<?>) {
            return encode(value);
        }
        try {
            JavaType declared = mapper.constructType(type);
            JavaType precise = mapper.getTypeFactory().constructSpecializedType(declared, value.getClass());
            return new Payload(ENCODING, mapper.writerFor(precise).writeValueAsBytes(value));
        } catch (JacksonException | IllegalArgumentException | ClassCastException | StackOverflowError ofAnotherType) {
            return encode(value); // explains the problem, or succeeds
        }
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) {
        if (type == void.class || type == Void.class) {
            return null;
        }
        try {
            return mapper.readValue(json(payload), mapper.constructType(type));
        } catch (JacksonException | IllegalArgumentException thrown) {
            JacksonProblem problem = new JacksonProblem(thrown);
            throw new DormouseException(
                    ErrorCode.PAYLOAD_DOES_NOT_FIT,
                    "Expected a payload that can be read as " + type.getTypeName() + ", but got " + payload + ": "
                            + Sentence.of(problem.whileReading())
                            + " " + problem.whatToDo(),
                    problem.cause());
        }
    }

    /** Returns false: all tools may show plain values. */
    @Override
    public boolean encodesFailures() {
        return false;
    }

    private static byte[] json(Payload payload) {
        if (payload.encoding().isEmpty()) {
            return NULL;
        }
        if (!payload.encoding().equals(ENCODING)) {
            throw new IllegalArgumentException("the encoding is '" + payload.encoding() + "', not json");
        }
        return payload.bytes();
    }

    private static String describe(@Nullable Object value) {
        return value == null ? "null" : "an instance of " + value.getClass().getName();
    }
}
