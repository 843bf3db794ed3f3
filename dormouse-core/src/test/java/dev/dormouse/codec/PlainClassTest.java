package dev.dormouse.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Values of plain classes come back complete or are refused. */
class PlainClassTest {
    private final JacksonCodec codec = new JacksonCodec();

    /** A class with private fields and without getters. */
    static class Money {
        private long cents;
        private String currency;
        private transient String cached = "not kept";

        Money() {}

        Money(long cents, String currency) {
            this.cents = cents;
            this.currency = currency;
        }
    }

    /** A class with a getter for one of its fields, and inherited fields. */
    static class Account extends Money {
        private String id;
        private final List<Integer> entries = new ArrayList<>();

        public String getId() {
            return id;
        }
    }

    /** A class with a collection that is never replaced. */
    public static class Basket {
        private final List<String> items = new ArrayList<>();

        public List<String> getItems() {
            return items;
        }
    }

    public static class Bean {
        private String name;
        private boolean open;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public boolean isOpen() {
            return open;
        }

        public void setOpen(boolean open) {
            this.open = open;
        }

        public String getShout() {
            return name + "!";
        }
    }

    /** A class as Kotlin compiles a data class. */
    public static final class Data {
        private final String name;
        private final int count;

        public Data(String name, int count) {
            this.name = name;
            this.count = count;
        }

        public String getName() {
            return name;
        }

        public int getCount() {
            return count;
        }
    }

    record Empty() {}

    interface Decision {}

    /** A class without state that could be lost. */
    static final class Stateless implements Decision {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Shape.Circle.class), @JsonSubTypes.Type(Shape.Nothing.class)})
    sealed interface Shape {
        record Circle(int radius) implements Shape {}

        final class Nothing implements Shape {}
    }

    record Plain(int radius) {}

    record Album(List<Plain> plain) {}

    record Picture(List<Shape> shapes, Optional<Shape> best) {}

    static class MyFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int number;

        MyFailure(String message, int number) {
            super(message);
            this.number = number;
        }
    }

    static class Guarded {
        private final ReentrantLock lock = new ReentrantLock();
        private final Supplier<String> source = () -> "x";
        private int value;
    }

    private String json(Object value) {
        return new String(codec.encode(value).bytes(), StandardCharsets.UTF_8);
    }

    private <T> T again(T value, Class<T> type) {
        return type.cast(codec.decode(codec.encode(value), type));
    }

    private void assertRefused(Object value, String... reasons) {
        Throwable problem = catchThrowable(() -> codec.encode(value));
        assertThat(problem).as(String.valueOf(value)).isInstanceOf(DormouseException.class);
        assertThat(((DormouseException) problem).code()).isEqualTo(ErrorCode.PAYLOAD_NOT_SERIALIZABLE);
        assertThat(problem.getMessage())
                .contains("[DM1003] Expected")
                .contains(", but")
                .contains(reasons);
    }

    @Test
    void privateFieldsWithoutGettersComeBack() {
        Money money = again(new Money(995, "EUR"), Money.class);
        assertThat(money.cents).isEqualTo(995);
        assertThat(money.currency).isEqualTo("EUR");
        assertThat(json(money)).doesNotContain("cached");
    }

    @Test
    void fieldsBesideGettersAndInheritedOnesComeBack() {
        Account account = new Account();
        account.id = "ada";
        account.entries.add(7);
        ((Money) account).cents = 5;
        Account again = again(account, Account.class);
        assertThat(again.getId()).isEqualTo("ada");
        assertThat(again.entries).containsExactly(7);
        assertThat(((Money) again).cents).isEqualTo(5);
    }

    @Test
    void collectionsInFinalFieldsComeBack() {
        Basket basket = new Basket();
        basket.getItems().add("apple");
        assertThat(again(basket, Basket.class).getItems()).containsExactly("apple");
    }

    @Test
    void beansAndDataClassesAndRecordsAreWrittenAsBefore() {
        Bean bean = new Bean();
        bean.setName("ada");
        bean.setOpen(true);
        assertThat(json(bean)).isEqualTo("{\"name\":\"ada\",\"open\":true,\"shout\":\"ada!\"}");
        assertThat(again(bean, Bean.class).isOpen()).isTrue();
        assertThat(json(new Data("ada", 3))).isEqualTo("{\"name\":\"ada\",\"count\":3}");
        assertThat(again(new Data("ada", 3), Data.class).getCount()).isEqualTo(3);
        assertThat(json(new Empty())).isEqualTo("{}");
        assertThat(again(new Empty(), Empty.class)).isEqualTo(new Empty());
        assertThat(json(OptionalInt.of(3))).isEqualTo("3");
        Picture picture = new Picture(List.of(new Shape.Circle(2)), Optional.of(new Shape.Circle(1)));
        assertThat(json(picture)).contains("\"@type\":");
        assertThat(again(picture, Picture.class)).isEqualTo(picture);
        assertThat(again(new Shape.Nothing(), Shape.class)).isInstanceOf(Shape.Nothing.class);
    }

    @Test
    void valueWithoutAnythingToLoseIsWrittenEmpty() {
        assertThat(json(new Stateless())).isEqualTo("{}");
        assertThat(again(new Stateless(), Stateless.class)).isNotNull();
        assertThat(json(Map.of())).isEqualTo("{}");
        assertThat(codec.decode(codec.encode(null), Money.class)).isNull();
    }

    @Test
    void valueThatWouldBeWrittenEmptyIsRefused() {
        Runnable lambda = () -> {};
        String captured = "captured";
        Supplier<String> capturing = () -> captured;
        assertRefused(lambda, "lambda");
        assertRefused(capturing, "lambda");
        assertRefused(new Object(), "java.lang.Object");
        assertRefused(new ByteArrayInputStream(new byte[1]), "java.io.ByteArrayInputStream");
        assertRefused(List.of(Map.of("secret", lambda)), "lambda", "[0][…]");
        assertRefused(new Guarded(), "lambda", "at source", "transient");
    }

    @Test
    void elementsAreWrittenByTheirDeclaredTypeOrElseAsTheyAre() throws Exception {
        Type shapes = Picture.class.getRecordComponents()[0].getGenericType();
        List<Shape> circles = new ArrayList<>(List.of(new Shape.Circle(1)));
        assertThat(codec.decode(codec.encode(circles, shapes), shapes)).isEqualTo(circles);
        Type records = Album.class.getRecordComponents()[0].getGenericType();
        Payload maps = codec.encode(List.of(Map.of("radius", 7)), records);
        assertThat(codec.decode(maps, records)).isEqualTo(List.of(new Plain(7)));
        assertThat(codec.decode(codec.encode(Map.of("a", 1), records), Object.class))
                .isEqualTo(Map.of("a", 1));
        Throwable lambda = catchThrowable(() -> codec.encode(List.of((Runnable) () -> {}), records));
        assertThat(lambda).isInstanceOf(DormouseException.class).hasMessageContaining("lambda");
    }

    @Test
    void exceptionsAreWrittenByTheirGettersAndOwnFields() {
        assertThat(json(new MyFailure("no", 7))).contains("\"message\":\"no\"").contains("\"number\":7");
    }
}
