package io.pilothouse.server.api;

import io.pilothouse.testkit.api.ApiJson;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** Ways to spoil the body of a good request; each always makes it a bad one, and leaves HTTP whole. */
final class FuzzBodies {
    private static final String JSON = "Content-Type: application/json";
    private static final int MAX_BYTES = 1024 * 1024;

    private final FuzzGround ground;
    private final Map<String, Spoil> spoils = new LinkedHashMap<>();
    private final Set<String> ofService = new HashSet<>();

    /** Makes a bad body of a good one. */
    @FunctionalInterface
    private interface Spoil {
        byte[] of(String good, RandomGenerator random);
    }

    FuzzBodies(FuzzGround ground) {
        this.ground = ground;
        syntax();
        values();
        sizes();
    }

    /** The names of all the ways. */
    List<String> names() {
        return List.copyOf(spoils.keySet());
    }

    /** The names of those that fit any operation with a body. */
    List<String> namesForAnyBody() {
        return spoils.keySet().stream()
                .filter(name -> !ofService.contains(name))
                .toList();
    }

    FuzzRequest request(String name, RandomGenerator random) {
        FuzzGround.Aim aim = ofService.contains(name) ? ground.of("instanceCreate") : ground.anyWithBody(random);
        Spoil spoil = spoils.get(name);
        if (spoil == null || aim.body() == null) {
            throw new IllegalArgumentException(name);
        }
        byte[] body = spoil.of(aim.body(), random);
        return FuzzRequest.http(name, aim.method(), aim.target(), List.of(ground.authorization(), JSON), body);
    }

    private void text(String name, TextSpoil spoil) {
        spoils.put(name, (good, random) -> spoil.of(good, random).getBytes(StandardCharsets.UTF_8));
    }

    /** A bad body for a new service, and for nothing else. */
    private void ofService(String name, Function<RandomGenerator, String> body) {
        ofService.add(name);
        text(name, (good, random) -> body.apply(random));
    }

    /** Makes a bad text of a good one. */
    @FunctionalInterface
    private interface TextSpoil {
        String of(String good, RandomGenerator random);
    }

    private void syntax() {
        text("a truncated body", (good, random) -> good.substring(0, 1 + random.nextInt(good.length() - 1)));
        text(
                "something after the body",
                (good, random) -> good + FuzzGround.one(List.of("x", "}", "{}", ",", "null", "[", "\"", "]"), random));
        text(
                "no object",
                (good, random) -> FuzzGround.one(
                        List.of(
                                "null",
                                "true",
                                "0",
                                "-1e5",
                                "\"" + FuzzGround.letters(20, random) + "\"",
                                "[]",
                                "[" + good + "]"),
                        random));
        spoils.put("a control character or a byte that is no UTF-8", (good, random) -> {
            byte[] bytes = good.getBytes(StandardCharsets.UTF_8);
            byte[] poisons = {0, 1, 7, 0x1f, (byte) 0x80, (byte) 0xc0, (byte) 0xff, (byte) 0xfe, (byte) 0xf8};
            bytes[1 + random.nextInt(bytes.length - 2)] = poisons[random.nextInt(poisons.length)];
            return bytes;
        });
        spoils.put("noise", (good, random) -> {
            byte[] noise = FuzzGround.noise(1 + random.nextInt(2000), random);
            noise[0] = (byte) "]x:,\"'<\0".charAt(random.nextInt(8));
            return noise;
        });
        spoils.put(
                "another encoding",
                (good, random) -> good.getBytes(FuzzGround.one(
                        List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, Charset.forName("UTF-32")),
                        random)));
        text("a byte order mark", (good, random) -> good + "\uFEFF");
        text("a duplicate key", (good, random) -> {
            String name = "\"" + FuzzGround.letters(5, random) + "\": ";
            return withMembers(good, name + "1, " + name + "{}");
        });
        text("single quotes", (good, random) -> good.replace('"', '\''));
        text("a comment", (good, random) -> good.replace("{", "{ /* c */ // d\n"));
        text(
                "an XML document",
                (good, random) ->
                        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>");
    }

    private void values() {
        text("a value of another type", FuzzBodies::otherType);
        text(
                "U+0000 in a text",
                (good, random) -> withMembers(good, "\"zz\": [\"a\\u0000" + FuzzGround.letters(3, random) + "\"]"));
        text(
                "half a surrogate pair",
                (good, random) -> withMembers(
                        good,
                        "\"zz\": \"" + FuzzGround.one(List.of("\\ud800", "\\udc00x", "\\ud83d\\ud83d"), random)
                                + "\""));
        text("U+0000 in a name", (good, random) -> withMembers(good, "\"z\\u0000z\": 1"));
        ofService(
                "a number beyond all bounds",
                random -> "{\"numReplicas\": "
                        + FuzzGround.one(
                                List.of(
                                        "1e999",
                                        "-1e400",
                                        "9".repeat(400),
                                        "0." + "1".repeat(200),
                                        "1e" + "9".repeat(50)),
                                random)
                        + "}");
        text(
                "a malformed number",
                (good, random) -> withMembers(
                        good,
                        "\"zz\": "
                                + FuzzGround.one(
                                        List.of(
                                                "NaN",
                                                "-Infinity",
                                                "0x10",
                                                "01",
                                                "1.",
                                                ".1",
                                                "+1",
                                                "1e",
                                                "--1",
                                                "1_000"),
                                        random)));
        ofService("several bad fields", FuzzBodies::badFields);
        ofService(
                "a list far too long",
                random -> "{\"ipAccessList\": [" + "{},".repeat(2000 + random.nextInt(3000)) + "{}]}");
    }

    private void sizes() {
        text("deep nesting", (good, random) -> {
            int levels = 65 + random.nextInt(20_000);
            String open = FuzzGround.one(List.of("[", "{\"a\":"), random);
            String close = open.equals("[") ? "]" : "}";
            return withMembers(
                    good, "\"zz\": " + open.repeat(levels) + (open.equals("[") ? "" : "1") + close.repeat(levels));
        });
        text("deep nesting without an end", (good, random) -> "{\"zz\": " + "[".repeat(65 + random.nextInt(100_000)));
        spoils.put("a body far too large", (good, random) -> {
            byte[] body = new byte[MAX_BYTES + 1 + random.nextInt(MAX_BYTES)];
            Arrays.fill(body, (byte) ' ');
            return body;
        });
        spoils.put("an empty body", (good, random) -> new byte[0]);
        text("blanks", (good, random) -> " \n\t".repeat(1 + random.nextInt(100)));
    }

    /** The good object with more members in front. */
    private static String withMembers(String good, String members) {
        String rest = good.strip().substring(1).strip();
        return "{" + members + (rest.startsWith("}") ? "" : ", ") + rest;
    }

    private static String otherType(String good, RandomGenerator random) {
        List<Map.Entry<String, JsonNode>> members =
                new ArrayList<>(ApiJson.read(good).properties());
        // What is null in an example says nothing of its type.
        List<Map.Entry<String, JsonNode>> typed =
                members.stream().filter(member -> !member.getValue().isNull()).toList();
        String name = FuzzGround.one(typed, random).getKey();
        JsonNode value = ApiJson.read(good).path(name);
        List<String> others = new ArrayList<>(List.of("5", "\"x\"", "true", "[]", "{}", "[[]]", "-0.5e-3"));
        others.removeIf(other -> ApiJson.read(other).getNodeType() == value.getNodeType());
        List<String> spoiled = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : members) {
            String text = member.getKey().equals(name)
                    ? FuzzGround.one(others, random)
                    : member.getValue().toString();
            spoiled.add("\"" + member.getKey() + "\": " + text);
        }
        return "{" + String.join(", ", spoiled) + "}";
    }

    private static String badFields(RandomGenerator random) {
        Map<String, String> members = new LinkedHashMap<>();
        for (int i = 0; i < 1 + random.nextInt(6); i++) {
            CreateServiceRows row = FuzzGround.one(List.of(CreateServiceRows.values()), random);
            members.put(row.field(), "'" + row.field() + "': " + FuzzGround.one(row.refused(), random));
        }
        return ApiJson.text("{" + String.join(", ", members.values()) + "}");
    }
}
