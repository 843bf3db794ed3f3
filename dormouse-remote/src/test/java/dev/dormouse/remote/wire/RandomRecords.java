package dev.dormouse.remote.wire;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.page.Lateness;
import dev.dormouse.store.page.TallyCounts;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Random values of records, with many empty, absent and extreme ones. The same seed makes the same values. */
final class RandomRecords {
    private static final List<String> TEXTS = List.of("", " ", "a", "\u0000", "\uD83D\uDC2D", "…\n\t", "x".repeat(300));
    private static final int MOST_TRIES = 1_000;

    private final Random random;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    <T> T of(Class<T> type) {
        return type.cast(value(type));
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            return container(generic);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == TallyCounts.class) {
            return tallyCounts();
        }
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain.isSealed()) {
            return value(pick(Arrays.asList(plain.getPermittedSubclasses())));
        }
        return plain.isEnum() ? pick(Arrays.asList(plain.getEnumConstants())) : simple(plain);
    }

    private Object simple(Class<?> type) {
        if (type == int.class) {
            return pick(List.of(0, 1, 9, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, random.nextInt()));
        } else if (type == long.class || type == Long.class) {
            return number();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return text();
        } else if (type == byte[].class) {
            byte[] bytes = new byte[pick(List.of(0, 1, 100))];
            random.nextBytes(bytes);
            return bytes;
        } else if (type == UUID.class) {
            return pick(List.of(new UUID(0, 0), new UUID(-1, -1), new UUID(random.nextLong(), random.nextLong())));
        } else if (type == Instant.class) {
            return pick(List.of(
                    Instant.EPOCH,
                    Micros.MAX,
                    Micros.toInstant(Long.MIN_VALUE + 1_000_000),
                    Micros.toInstant(random.nextLong() / 2)));
        } else if (type == Duration.class) {
            return Duration.of(number(), ChronoUnit.MICROS);
        } else if (type == StoreException.class) {
            return new StoreException(
                    pick(List.of(ErrorCode.values())), pick(List.of(StoreTrouble.values())), text(), null);
        }
        throw new IllegalStateException("Expected a type that is known here, but got " + type + ".");
    }

    private Object container(ParameterizedType type) {
        Type element = type.getActualTypeArguments()[0];
        Class<?> raw = (Class<?>) type.getRawType();
        if (raw == Optional.class) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(value(element));
        }
        int size = pick(List.of(0, 1, 3));
        if (raw == Map.class) {
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < size; i++) {
                map.put(value(element), value(type.getActualTypeArguments()[1]));
            }
            return map;
        }
        Collection<Object> values = raw == List.class ? new ArrayList<>() : new HashSet<>();
        for (int i = 0; i < size; i++) {
            values.add(value(element));
        }
        return values;
    }

    /** Tries again where the constructor refuses a combination of values. */
    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        for (int i = 0; i < MOST_TRIES; i++) {
            Object[] values = Arrays.stream(components).map(this::component).toArray();
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(types);
                return constructor.newInstance(values);
            } catch (InvocationTargetException refused) {
                if (!(refused.getCause() instanceof IllegalArgumentException)) {
                    throw new IllegalStateException(refused);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalStateException("Expected values for a " + type + ", but it refused all of them.");
    }

    private @Nullable Object component(RecordComponent component) {
        boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        return isNullable && random.nextInt(3) == 0 ? null : value(component.getGenericType());
    }

    private TallyCounts tallyCounts() {
        return new TallyCounts(
                number(),
                number(),
                number(),
                number(),
                number(),
                number(),
                number(),
                LongStream.range(0, Lateness.BUCKETS).map(i -> number()).boxed().toList());
    }

    private long number() {
        return pick(List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, random.nextLong()));
    }

    private String text() {
        return pick(TEXTS) + pick(TEXTS);
    }

    private <T> T pick(List<? extends T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Returns a text that is equal for equal values. Arrays are compared by content, sets and maps without order. */
    static String describe(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        } else if (value instanceof StoreException problem) {
            return problem.code() + " " + problem.trouble() + " " + problem.getMessage();
        } else if (value instanceof List<?> list) {
            return list.stream().map(RandomRecords::describe).toList().toString();
        } else if (value instanceof Collection<?> set) {
            return set.stream().map(RandomRecords::describe).sorted().toList().toString();
        } else if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> describe(entry.getKey()) + "=" + describe(entry.getValue()))
                    .sorted()
                    .toList()
                    .toString();
        } else if (value instanceof Optional<?> optional) {
            return "Optional" + optional.stream().map(RandomRecords::describe).toList();
        } else if (value instanceof Record record) {
            return record.getClass().getName()
                    + Arrays.stream(record.getClass().getRecordComponents())
                            .map(component -> component.getName() + "=" + describe(read(component, record)))
                            .collect(Collectors.joining(", ", "[", "]"));
        }
        return String.valueOf(value);
    }

    private static @Nullable Object read(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
