package io.pilothouse.http.json;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a body into values, once and strictly. An error that makes the rest unreadable is refused at once; any other (a
 * duplicate key, a text with U+0000) is collected with its path and reading goes on.
 */
public final class JsonReader {
    static final int MAX_LEVELS = 64;
    private static final int MAX_FAULTS = 100;
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_LEVELS + 1)
                    // A field that nobody knows may hold anything, and the size of a body is limited already.
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final JsonParser parser;
    private final Faults faults;
    private int collected;

    private JsonReader(JsonParser parser, Faults faults) {
        this.parser = parser;
        this.faults = faults;
    }

    /** The members of the one object that a body must be. */
    public static Tree.Members readObject(byte[] body, Faults faults) {
        CharBuffer text = decode(body);
        if (text == null) {
            throw Refused.badRequest("", "must be UTF-8");
        }
        try (JsonParser parser =
                FACTORY.createParser(ObjectReadContext.empty(), text.array(), text.arrayOffset(), text.length())) {
            return new JsonReader(parser, faults).document();
        }
    }

    /** Without the byte order mark that some writers put first. */
    private static @Nullable CharBuffer decode(byte[] body) {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return text.hasRemaining() && text.charAt(0) == BYTE_ORDER_MARK
                    ? text.position(text.position() + 1).slice()
                    : text;
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    private Tree.Members document() {
        Refused refusal;
        try {
            JsonToken first = parser.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw Refused.badRequest("", "must be a JSON object");
            }
            Tree.Members members = members(JsonPath.ROOT, 1);
            if (parser.nextToken() == null) {
                return members;
            }
            refusal = malformed(parser.currentTokenLocation());
        } catch (StreamConstraintsException tooDeep) {
            refusal = tooDeep(where(parser.streamReadContext()));
        } catch (JacksonException malformed) {
            refusal = malformed(malformed.getLocation());
        }
        throw refusal;
    }

    /** The parser's position, which is ahead of ours when it fails on a value while it reads a name. */
    private static JsonPath where(@Nullable TokenStreamContext context) {
        if (context == null || context.inRoot()) {
            return JsonPath.ROOT;
        }
        JsonPath container = where(context.getParent());
        if (context.inArray()) {
            return container.item(context.getCurrentIndex());
        }
        String name = context.currentName();
        return name == null ? container : container.member(name);
    }

    private static Refused malformed(@Nullable TokenStreamLocation location) {
        String where =
                location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
        return Refused.badRequest("", "is not one valid JSON object" + where);
    }

    private Tree.Members members(JsonPath path, int level) {
        requireLevel(path, level);
        Map<String, Tree> values = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (textFault(name) != null) {
                throw Refused.badRequest(path.text(), "has a name with U+0000 or half a surrogate pair");
            }
            JsonPath at = path.member(name);
            Tree value = value(parser.nextToken(), at, level);
            if (values.putIfAbsent(name, value) != null) {
                collect(at, "is given twice");
            }
        }
        return new Tree.Members(values);
    }

    private Tree.Items items(JsonPath path, int level) {
        requireLevel(path, level);
        List<Tree> values = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            values.add(value(token, path.item(values.size()), level));
        }
        return new Tree.Items(values);
    }

    private Tree value(JsonToken token, JsonPath path, int level) {
        return switch (token) {
            case START_OBJECT -> members(path, level + 1);
            case START_ARRAY -> items(path, level + 1);
            case VALUE_STRING -> text(path);
            // One that is too large for its field is refused with the field.
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Tree.Figure(parser.getDoubleValue());
            case VALUE_TRUE -> new Tree.Flag(true);
            case VALUE_FALSE -> new Tree.Flag(false);
            case VALUE_NULL -> new Tree.Nothing();
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw malformed(parser.currentTokenLocation());
        };
    }

    private Tree text(JsonPath path) {
        String text = parser.getString();
        String fault = textFault(text);
        if (fault != null) {
            collect(path, fault);
        }
        return new Tree.Text(text);
    }

    private static void requireLevel(JsonPath path, int level) {
        if (level > MAX_LEVELS) {
            throw tooDeep(path);
        }
    }

    private static Refused tooDeep(JsonPath path) {
        return Refused.badRequest(path.text(), "is nested more than " + MAX_LEVELS + " levels deep");
    }

    /** Beyond some number of faults, reporting more of them only helps an attacker. */
    private void collect(JsonPath path, String message) {
        faults.add(path.text(), message);
        collected++;
        if (collected == MAX_FAULTS) {
            faults.refuseIfAny();
        }
    }

    private static @Nullable String textFault(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return "must not contain U+0000";
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    return "must not contain half a surrogate pair";
                }
                i++;
            }
        }
        return null;
    }
}
