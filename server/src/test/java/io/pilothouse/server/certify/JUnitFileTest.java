package io.pilothouse.server.certify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.server.certify.Step.Result;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class JUnitFileTest {
    @TempDir
    Path folder;

    static Element parsed(String xml) throws ParserConfigurationException, IOException, SAXException {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement();
    }

    private static Element at(Element suite, String tag, int index) {
        return (Element) suite.getElementsByTagName(tag).item(index);
    }

    @Test
    void everyStepIsATestCase() throws ParserConfigurationException, IOException, SAXException {
        Element suite = parsed(JUnitFile.text(
                "events",
                Map.of("terraform", "OpenTofu v1.12.6"),
                List.of(
                        new Step("apply", Result.passed("1 added"), Duration.ofMillis(6_120)),
                        new Step("name = \"a & <b>\"", Result.skipped("left \"as\" it is"), Duration.ZERO),
                        new Step(
                                "empty plan",
                                Result.failed("one differs", List.of("a would be updated", "  size: 8 -> \u001b[1m9")),
                                Duration.ofMillis(880)))));
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(suite.getAttribute("time")).isEqualTo("7.0");
        assertThat(at(suite, "property", 0).getAttribute("value")).isEqualTo("OpenTofu v1.12.6");
        assertThat(at(suite, "testcase", 0).getAttribute("time")).isEqualTo("6.1");
        assertThat(at(suite, "testcase", 1).getAttribute("name")).isEqualTo("name = \"a & <b>\"");
        assertThat(at(suite, "skipped", 0).getAttribute("message")).isEqualTo("left \"as\" it is");
        assertThat(at(suite, "failure", 0).getAttribute("message")).isEqualTo("one differs");
        assertThat(at(suite, "failure", 0).getTextContent()).isEqualTo("a would be updated\n  size: 8 -> ?[1m9");
    }

    @Test
    void placeThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
        assertThatThrownBy(() -> JUnitFile.at(folder.resolve("nowhere/report.xml")))
                .hasMessageContaining("cannot be written");
        Path taken = Files.createDirectory(folder.resolve("taken"));
        assertThatThrownBy(() -> JUnitFile.at(taken)).hasMessageContaining("cannot be written");
    }
}
