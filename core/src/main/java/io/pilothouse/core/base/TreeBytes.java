package io.pilothouse.core.base;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trees as bytes and back, for what is sealed before it is stored; core has no JSON, and needs none for this. */
public final class TreeBytes {
    private TreeBytes() {}

    public static byte[] write(Tree.Members members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(members, out);
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written", e);
        }
        return bytes.toByteArray();
    }

    /** Reads what {@link #write} wrote; anything else is a bug and throws. */
    public static Tree.Members read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (read(in) instanceof Tree.Members members) {
                return members;
            }
            throw new IllegalStateException("These bytes hold no object");
        } catch (IOException e) {
            throw new UncheckedIOException("These bytes are no tree", e);
        }
    }

    private static void write(Tree tree, DataOutputStream out) throws IOException {
        switch (tree) {
            case Tree.Nothing _ -> out.writeByte('n');
            case Tree.Flag flag -> out.writeByte(flag.value() ? 't' : 'f');
            case Tree.Figure figure -> {
                out.writeByte('d');
                out.writeDouble(figure.value());
            }
            case Tree.Text(String value) -> {
                out.writeByte('s');
                writeText(value, out);
            }
            case Tree.Items(List<Tree> values) -> {
                out.writeByte('[');
                out.writeInt(values.size());
                for (Tree value : values) {
                    write(value, out);
                }
            }
            case Tree.Members(Map<String, Tree> values) -> {
                out.writeByte('{');
                out.writeInt(values.size());
                for (Map.Entry<String, Tree> entry : values.entrySet()) {
                    writeText(entry.getKey(), out);
                    write(entry.getValue(), out);
                }
            }
        }
    }

    private static Tree read(DataInputStream in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case 'n' -> new Tree.Nothing();
            case 't' -> new Tree.Flag(true);
            case 'f' -> new Tree.Flag(false);
            case 'd' -> new Tree.Figure(in.readDouble());
            case 's' -> new Tree.Text(readText(in));
            case '[' -> {
                List<Tree> values = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    values.add(read(in));
                }
                yield new Tree.Items(values);
            }
            case '{' -> {
                Map<String, Tree> values = new LinkedHashMap<>();
                for (int left = in.readInt(); left > 0; left--) {
                    String name = readText(in);
                    values.put(name, read(in));
                }
                yield new Tree.Members(values);
            }
            default -> throw new IOException("No tree begins with " + kind);
        };
    }

    private static void writeText(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
