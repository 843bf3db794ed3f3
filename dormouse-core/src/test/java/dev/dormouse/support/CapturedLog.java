package dev.dormouse.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The log lines of level WARN and above that Dormouse writes while this object is open. */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dormouse");
    private final List<ILoggingEvent> lines = new ArrayList<>();

    public CapturedLog() {
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent line) {
        if (line.getLevel().isGreaterOrEqual(Level.WARN)) {
            lines.add(line);
        }
    }

    /** Returns the lines that contain {@code text}, in order. */
    public List<ILoggingEvent> about(String text) {
        return lines.stream()
                .filter(line -> line.getFormattedMessage().contains(text))
                .toList();
    }

    /** Returns the messages of all lines. */
    public List<String> messages() {
        return lines.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
