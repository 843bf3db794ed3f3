package dev.dormouse.internal.history.json;

import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of inbox items: with their message, or its bytes if this version cannot decode it. */
final class MailJson {
    private static final String POSITION = "position";
    private static final String KEY = "key";
    private static final String ACCEPTED_AT = "acceptedAt";
    private static final String MESSAGE = "message";
    private static final String MESSAGE_KIND = "messageKind";
    private static final String BASE64 = "base64";

    private MailJson() {}

    static JsonNode write(InboxMessage mail) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put(POSITION, mail.position());
        node.put(KEY, mail.key());
        node.put(ACCEPTED_AT, mail.acceptedAt().toString());
        Message message = message(mail);
        return message != null
                ? node.set(MESSAGE, JsonOut.value(message))
                : node.put(MESSAGE_KIND, mail.kind()).put(BASE64, PayloadJson.base64(mail.payload()));
    }

    private static @Nullable Message message(InboxMessage mail) {
        try {
            Message message = MessageCodec.decode(mail.kind(), mail.payload());
            return Arrays.equals(MessageCodec.encode(message), mail.payload()) ? message : null;
        } catch (DormouseException unknown) {
            return null;
        }
    }

    static InboxMessage read(Place place) {
        boolean isMessage = place.has(MESSAGE);
        place.checkFields(
                isMessage
                        ? Set.of(POSITION, KEY, ACCEPTED_AT, MESSAGE)
                        : Set.of(POSITION, KEY, ACCEPTED_AT, MESSAGE_KIND, BASE64));
        long position = place.field(POSITION).number(Long.MAX_VALUE);
        String key = place.field(KEY).text();
        Instant acceptedAt = place.field(ACCEPTED_AT).parse("an instant", Instant::parse);
        if (isMessage) {
            Message message = (Message) JsonIn.sealed(place.field(MESSAGE), Message.class);
            return new InboxMessage(position, key, message.kind(), acceptedAt, MessageCodec.encode(message));
        }
        int kind = (int) place.field(MESSAGE_KIND).number(Integer.MAX_VALUE);
        return new InboxMessage(position, key, kind, acceptedAt, PayloadJson.bytes(place.field(BASE64)));
    }
}
