package io.pilothouse.http.json;

import io.pilothouse.core.base.Tree;
import java.util.Map;

/** Writes trees as JSON. */
public final class TreeJson {
    private TreeJson() {}

    /** Writes the members of an object that has been started. */
    public static void writeMembers(JsonWriter out, Tree.Members members) {
        for (Map.Entry<String, Tree> member : members.values().entrySet()) {
            write(out, member.getKey(), member.getValue());
        }
    }

    public static void write(JsonWriter out, String name, Tree value) {
        switch (value) {
            case Tree.Text text -> out.text(name, text.value());
            case Tree.Figure figure -> out.number(name, figure.value());
            case Tree.Flag flag -> out.flag(name, flag.value());
            case Tree.Nothing _ -> {
                out.name(name);
                out.nothing();
            }
            case Tree.Items items -> out.list(name, items.values(), TreeJson::write);
            case Tree.Members members -> {
                out.startObject(name);
                writeMembers(out, members);
                out.endObject();
            }
        }
    }

    /** Writes a value that has no name: a whole document, or an item of a list. */
    public static void write(JsonWriter out, Tree value) {
        switch (value) {
            case Tree.Text text -> out.text(text.value());
            case Tree.Figure figure -> out.number(figure.value());
            case Tree.Flag flag -> out.flag(flag.value());
            case Tree.Nothing _ -> out.nothing();
            case Tree.Items items -> {
                out.startArray();
                items.values().forEach(item -> write(out, item));
                out.endArray();
            }
            case Tree.Members members -> {
                out.startObject();
                writeMembers(out, members);
                out.endObject();
            }
        }
    }
}
