package dev.dormouse.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Token;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Host names, tokens, sessions, rate limits, stream clients and body timeouts, each by itself. */
class RequestProtectionTest {
    private static final String LOCAL = "127.0.0.1";

    @Test
    void ownHostNamesAreAccepted() {
        AllowedHosts loopback = new AllowedHosts(LOCAL, Set.of("Box.example.com"));
        for (String host : new String[] {"127.0.0.1:7070", "localhost", "[::1]:7070", "box.EXAMPLE.com:443"}) {
            assertThatCode(() -> loopback.check(host, LOCAL)).as(host).doesNotThrowAnyException();
        }
        for (String host :
                new String[] {null, "", ":", "evil.com", "127.0.0.2", "localhost.", "box.example.com.evil.com", "a b"
                }) {
            assertThatThrownBy(() -> loopback.check(host, LOCAL)).as(host).isInstanceOf(RequestRefused.class);
        }
    }

    @Test
    void addressIsAcceptedIfTheRequestArrivedAtIt() {
        AllowedHosts any = new AllowedHosts("0.0.0.0", Set.of());
        assertThatCode(() -> any.check("10.0.0.5:7070", "10.0.0.5")).doesNotThrowAnyException();
        assertThatCode(() -> any.check("[fe80::1]:7070", "fe80::1")).doesNotThrowAnyException();
        assertThatThrownBy(() -> any.check("10.0.0.6", "10.0.0.5")).isInstanceOf(RequestRefused.class);
        assertThatCode(() -> any.check("localhost:7070", "127.0.0.1")).doesNotThrowAnyException();
        assertThatThrownBy(() -> any.check("localhost", "10.0.0.5")).isInstanceOf(RequestRefused.class);
    }

    @Test
    void onlyLoopbackAddressesAreLoopback() {
        assertThat(AllowedHosts.isLoopback("127.0.0.1")).isTrue();
        assertThat(AllowedHosts.isLoopback("::1")).isTrue();
        assertThat(AllowedHosts.isLoopback("localhost")).isTrue();
        assertThat(AllowedHosts.isLoopback("0.0.0.0")).isFalse();
        assertThat(AllowedHosts.isLoopback("::")).isFalse();
        assertThat(AllowedHosts.isLoopback("127.0.0.1.evil.com")).isFalse();
    }

    @Test
    void tokensAreKeptAsHashes() {
        String secret = Token.random();
        assertThat(secret).hasSize(43).isNotEqualTo(Token.random());
        Token token = Token.of("ada", Role.READER, secret);
        assertThat(token.hash()).startsWith("sha256:").doesNotContain(secret);
        assertThat(token).isEqualTo(Token.of("ada", Role.READER, Token.hash(secret)));
        assertThat(token.isHashOf(Token.hash(secret))).isTrue();
        assertThat(token.isHashOf(Token.hash(secret + " "))).isFalse();
        assertThat(token.toString()).doesNotContain("sha256");
    }

    @Test
    void sessionsExpire() {
        AtomicLong seconds = new AtomicLong();
        LoginSessions logins = new LoginSessions(new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.ofEpochSecond(seconds.get());
            }
        });
        Caller ada = new Caller("ada", Role.READER);
        String first = logins.add(ada);
        assertThat(logins.find(first)).contains(ada);
        seconds.set(LoginSessions.LIFETIME.toSeconds());
        assertThat(logins.find(first)).isEmpty();
        String second = logins.add(ada);
        for (int i = 0; i < 1_000; i++) {
            logins.add(ada);
        }
        assertThat(logins.find(second)).as("the oldest of too many").isEmpty();
        String last = logins.add(ada);
        logins.remove(last);
        assertThat(logins.find(last)).isEmpty();
    }

    @Test
    void repeatedLoginsEndOnlySessionsOfTheSameCaller() {
        LoginSessions logins = new LoginSessions(Clock.systemUTC());
        Caller bob = new Caller("bob", Role.ADMIN);
        String cookie = logins.add(bob);
        for (int i = 0; i < 2_000; i++) {
            logins.add(new Caller("eve", Role.READER));
        }
        assertThat(logins.find(cookie)).contains(bob);
    }

    @Test
    void rateLimitIsKeptPerCaller() {
        AtomicLong nanos = new AtomicLong();
        RateLimiter rate = new RateLimiter(10, nanos::get);
        for (int i = 0; i < 20; i++) {
            rate.check("ada");
        }
        assertThatThrownBy(() -> rate.check("ada")).isInstanceOf(RequestRefused.class);
        assertThatCode(() -> rate.check("bob")).doesNotThrowAnyException();
        nanos.addAndGet(100_000_000);
        assertThatCode(() -> rate.check("ada")).doesNotThrowAnyException();
        assertThatThrownBy(() -> rate.check("ada")).isInstanceOf(RequestRefused.class);
        for (int i = 0; i < 20_000; i++) {
            rate.check("caller " + i);
        }
    }

    @Test
    void clientThatDoesNotKeepUpIsDropped() throws Exception {
        StreamClient listener = new StreamClient(Set.of(), () -> true);
        for (int i = 0; i < 1_000; i++) {
            listener.send("pulse", "{}");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        listener.writeTo(out);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(":\n\n");
    }

    @Test
    void clientThatLosesAccessReceivesNothingMore() throws Exception {
        AtomicLong asked = new AtomicLong();
        StreamClient listener = new StreamClient(Set.of(), () -> asked.incrementAndGet() < 2);
        listener.send("pulse", "1");
        listener.send("pulse", "2");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        listener.writeTo(out);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(":\n\nevent: pulse\ndata: 1\n\n");
    }

    @Test
    void bodyThatTakesTooLongIsRefused() throws Exception {
        AtomicLong nanos = new AtomicLong();
        InputStream drop = new InputStream() {
            @Override
            public int read() {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                return 'x';
            }

            @Override
            public int read(byte[] part, int from, int length) {
                part[from] = (byte) read();
                return 1;
            }
        };
        assertThatThrownBy(() -> BodyReader.read(drop, 1_000, BodyReader.LONGEST, nanos::get))
                .isInstanceOf(IOException.class);
        assertThat(nanos.get()).isBetween(0L, Duration.ofSeconds(32).toNanos());
        byte[] ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        assertThat(BodyReader.read(new ByteArrayInputStream(ten), 10, BodyReader.LONGEST, nanos::get))
                .isEqualTo(ten);
        assertThat(BodyReader.read(new ByteArrayInputStream(ten), 9, BodyReader.LONGEST, nanos::get))
                .hasSize(10);
        assertThat(BodyReader.read(new ByteArrayInputStream(ten), 3, BodyReader.LONGEST, nanos::get))
                .hasSize(4);
        assertThat(BodyReader.read(InputStream.nullInputStream(), 3, BodyReader.LONGEST, nanos::get))
                .isEmpty();
    }
}
