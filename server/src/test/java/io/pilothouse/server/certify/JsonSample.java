package io.pilothouse.server.certify;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import java.nio.charset.StandardCharsets;

/** Documents of Terraform, as tests write them. */
final class JsonSample {
    private JsonSample() {}

    static Tree.Members of(String document) {
        return JsonReader.readObject(document.getBytes(StandardCharsets.UTF_8), new Faults());
    }
}
