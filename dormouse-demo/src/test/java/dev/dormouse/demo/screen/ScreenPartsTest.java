package dev.dormouse.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.demo.base.DemoTexts;
import dev.dormouse.demo.run.DemoMessages.Tone;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScreenPartsTest {
    @Test
    void lineIsCutAtTheEdgeWhateverItsColors() {
        ScreenLine line =
                new ScreenLine(10, true).add(TextStyle.RED, "red").at(5).add(TextStyle.PLAIN, "a long tail");
        assertThat(line).hasToString("\033[31mred\033[0m  a lon");
        assertThat(new ScreenLine(10, false).upTo(10, TextStyle.RED, "end")).hasToString("       end");
        assertThat(new ScreenLine(0, true).add(TextStyle.RED, "nothing").at(3)).hasToString("");
    }

    @Test
    void barIsAsFullAsTimeHasPassed() {
        ScreenGlyphs glyphs = ScreenGlyphs.of(StandardCharsets.US_ASCII);
        assertThat(glyphs.bar(4, 0.5)).isEqualTo("##..");
        assertThat(glyphs.bar(4, -1)).isEqualTo("....");
        assertThat(glyphs.bar(4, 7)).isEqualTo("####");
        assertThat(glyphs.bar(0, 0.5)).isEmpty();
    }

    @Test
    void remainingTimeIsShort() {
        assertThat(Stream.of("PT6.4S", "PT1M59S", "PT59M30S", "PT47H", "P3D")
                        .map(Duration::parse)
                        .map(DemoTexts::left))
                .containsExactly("6.4 s", "119.0 s", "59.5 m", "47.0 h", "3.0 d");
    }

    @Test
    void deathsStayVisibleOnASmallScreen() {
        RecentMessages news = new RecentMessages();
        news.tell(Tone.PLAIN, "old");
        news.tell(Tone.DEATH, "a death that needs two lines");
        news.tell(Tone.PLAIN, "new");
        assertThat(news.fitting(2, 20))
                .extracting(RecentMessages.Item::text)
                .containsExactly("a death that needs two lines");
        assertThat(news.fitting(3, 20))
                .extracting(RecentMessages.Item::text)
                .containsExactly("a death that needs two lines", "new");
        assertThat(news.fitting(2, 20).get(0).lines(20)).containsExactly("a death that needs", "two lines");
    }
}
