package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.util.Map;

/** A key of a role at AWS, which is good for an hour. */
public record RoleKey(String accessKeyId, String secretKey, String token) {
    @Override
    public String toString() {
        return "RoleKey[" + accessKeyId + "]";
    }

    public Tree.Members tree() {
        return new Tree.Members(Map.of(
                "accessKeyId", new Tree.Text(accessKeyId),
                "secretKey", new Tree.Text(secretKey),
                "token", new Tree.Text(token)));
    }

    public static RoleKey of(Tree.Members answer) {
        return new RoleKey(
                answer.text("accessKeyId").orElseThrow(),
                answer.text("secretKey").orElseThrow(),
                answer.text("token").orElseThrow());
    }
}
