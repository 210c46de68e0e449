package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one worker has to do: which source with which credentials, into which table, and its share of the work.
 * {@code round} counts how often everything is to be read again, and {@code replay} is the number of the last replay of
 * kept errors that this worker has to do, 0 for none.
 */
public record Assignment(
        String pipe,
        String kind,
        Tree.Members source,
        Tree.Members secrets,
        Tree.Members settings,
        Target target,
        int round,
        Errand errand,
        long replay,
        Share share) {
    /** What it goes to its source for. */
    public enum Errand {
        /** It moves what is there. */
        MOVE,
        /** It says how much the source keeps for the pipe, which stands still, and ends. */
        MEASURE,
        /** It takes away what the pipe made there, and ends. */
        LEAVE
    }

    /**
     * Where rows go: the table's columns, and for each the expression over the columns of {@code structure} that fills
     * it. An empty structure is left for the database to find out.
     */
    public record Target(
            String database, String table, List<String> columns, List<String> expressions, String structure) {}

    /** Which of how many workers this is, how many files it reads at once, and how large it is. */
    public record Share(int index, int workers, int concurrency, double memoryGb, int millicores) {}

    @Override
    public String toString() {
        return "Assignment[" + pipe + "]";
    }

    public Tree.Members tree() {
        Map<String, Tree> members = new LinkedHashMap<>();
        members.put(Words.SORT, new Tree.Text(Words.BEGIN));
        members.put("pipe", new Tree.Text(pipe));
        members.put("kind", new Tree.Text(kind));
        members.put("source", source);
        members.put("secrets", secrets);
        members.put("settings", settings);
        members.put("database", new Tree.Text(target.database()));
        members.put("table", new Tree.Text(target.table()));
        members.put("columns", Tree.Items.texts(target.columns()));
        members.put("expressions", Tree.Items.texts(target.expressions()));
        members.put("structure", new Tree.Text(target.structure()));
        members.put("round", new Tree.Figure(round));
        members.put("errand", new Tree.Text(errand.name()));
        members.put("replay", new Tree.Figure(replay));
        members.put("index", new Tree.Figure(share.index()));
        members.put("workers", new Tree.Figure(share.workers()));
        members.put("concurrency", new Tree.Figure(share.concurrency()));
        members.put("memoryGb", new Tree.Figure(share.memoryGb()));
        members.put("millicores", new Tree.Figure(share.millicores()));
        return new Tree.Members(members);
    }

    public static Assignment of(Tree.Members message) {
        return new Assignment(
                message.text("pipe").orElseThrow(),
                message.text("kind").orElseThrow(),
                message.members("source").orElseThrow(),
                message.members("secrets").orElseThrow(),
                message.members("settings").orElseThrow(),
                new Target(
                        message.text("database").orElseThrow(),
                        message.text("table").orElseThrow(),
                        message.texts("columns"),
                        message.texts("expressions"),
                        message.text("structure").orElseThrow()),
                message.number("round").orElseThrow().intValue(),
                Errand.valueOf(message.text("errand").orElseThrow()),
                message.number("replay").orElseThrow().longValue(),
                new Share(
                        message.number("index").orElseThrow().intValue(),
                        message.number("workers").orElseThrow().intValue(),
                        message.number("concurrency").orElseThrow().intValue(),
                        message.number("memoryGb").orElseThrow(),
                        message.number("millicores").orElseThrow().intValue()));
    }
}
