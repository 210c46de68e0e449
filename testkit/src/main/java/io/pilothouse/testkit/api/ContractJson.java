package io.pilothouse.testkit.api;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON strictly, with a parser that the program under test does not use, and holds it against schemas. */
final class ContractJson {
    private final JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    JsonNode read(byte[] document) {
        return mapper.readTree(document);
    }

    /** Everything that is wrong with a body. */
    List<String> faults(Schema schema, String body) {
        JsonNode node;
        try {
            node = mapper.readTree(body);
        } catch (JacksonException notJson) {
            return List.of("is not one JSON text: " + notJson.getOriginalMessage());
        }
        if (node.isMissingNode()) {
            return List.of("is empty");
        }
        List<String> faults = new ArrayList<>();
        for (Error error : schema.validate(node)) {
            faults.add(error.getInstanceLocation() + " " + error.getMessage());
        }
        return faults;
    }

    /** The places of whole numbers that are printed with a fraction or an exponent. */
    List<String> oddNumbers(String body) {
        List<String> places = new ArrayList<>();
        collectOddNumbers(mapper.readTree(body), "", places);
        return places;
    }

    private static void collectOddNumbers(JsonNode node, String at, List<String> places) {
        if (node.isBigDecimal() && isWhole(node.decimalValue())) {
            places.add(at);
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            collectOddNumbers(member.getValue(), at + "/" + member.getKey(), places);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            collectOddNumbers(node.get(i), at + "/" + i, places);
        }
    }

    private static boolean isWhole(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0;
    }
}
