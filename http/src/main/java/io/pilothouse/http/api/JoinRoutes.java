package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.member.JoinOperations;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.Request;

/** Accepting an invitation over HTTP, which needs no key: the person who accepts has none yet. */
public record JoinRoutes(JoinOperations join) {
    public Answer accept(Exchange exchange) {
        Faults faults = new Faults();
        RequestBody body = Request.object(exchange, faults);
        Tree.Members member =
                join.accept(body.text("token"), body.text("name"), exchange.requestId(), exchange.client(), faults);
        byte[] shown = JsonWriter.document(out -> TreeJson.write(out, member));
        return Answer.json(new Enveloped().success(exchange.requestId(), shown)).unstored();
    }
}
