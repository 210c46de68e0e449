package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Some rows of an error table, which are to be read again together: as one range of the replay that they belong to. */
public record ErrorPortion(Span span, List<Kept> rows) {

    /** The field of a file that was kept as a whole: which version of it could not be read. */
    public static final String ETAG = "_etag";

    /** The field of a line: the first line of its file, where that names the columns. */
    public static final String HEADING = "_heading";

    /** The field of a line: how large its file was. */
    public static final String SIZE = "_size";

    /** A row: where it was in the source, its bytes, and what it had beside them; all in Base64. */
    public record Kept(String source64, String raw64, Map<String, String> fields64) {
        public String source() {
            return new String(bytes(source64), StandardCharsets.UTF_8);
        }

        public byte[] raw() {
            return bytes(raw64);
        }

        public Optional<byte[]> field(String name) {
            return Optional.ofNullable(fields64.get(name)).map(Kept::bytes);
        }

        private static byte[] bytes(String base64) {
            return Base64.getDecoder().decode(base64);
        }
    }

    public Tree.Members tree() {
        List<Tree> all = new ArrayList<>();
        for (Kept row : rows) {
            Map<String, Tree> fields = new LinkedHashMap<>();
            row.fields64().forEach((name, value) -> fields.put(name, new Tree.Text(value)));
            all.add(new Tree.Members(Map.of(
                    "source",
                    new Tree.Text(row.source64()),
                    "raw",
                    new Tree.Text(row.raw64()),
                    "fields",
                    new Tree.Members(fields))));
        }
        return Span.tree(List.of(span)).with("rows", new Tree.Items(all));
    }

    /** Empty once there are no more. */
    public static Optional<ErrorPortion> find(Tree.Members body) {
        return Span.list(body).stream().findFirst().map(span -> new ErrorPortion(span, rows(body)));
    }

    private static List<Kept> rows(Tree.Members body) {
        List<Kept> rows = new ArrayList<>();
        for (Tree.Members row : body.objects("rows")) {
            Map<String, String> fields = new LinkedHashMap<>();
            Tree.Members given = row.members("fields").orElse(Tree.Members.NONE);
            given.values()
                    .keySet()
                    .forEach(name -> fields.put(name, given.text(name).orElse("")));
            rows.add(new Kept(row.text("source").orElse(""), row.text("raw").orElse(""), fields));
        }
        return rows;
    }
}
