package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.FileStore.Page;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;

/** How a list of files is read. */
class ListedFilesTest {
    private static final ListedFiles NAMES =
            new ListedFiles("Blob", "Name", "Etag", "Size", "Next", UnaryOperator.identity());

    private static Page read(String xml) throws XMLStreamException {
        return NAMES.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void filesAreReadWithTheirVersionsAndTheWayOn() throws XMLStreamException {
        Page page = read("<L><Blobs><Blob><Name>a &amp; b</Name><P><Etag>\"1\"</Etag><Size>7</Size></P></Blob>"
                + "<Blob><Name>c</Name></Blob></Blobs><Next>d</Next></L>");
        assertThat(page.files()).containsExactly(new Found("a & b", "1", 7), new Found("c", "", 0));
        assertThat(page.next()).isEqualTo("d");
    }

    @Test
    void anEmptyWayOnEndsTheList() throws XMLStreamException {
        assertThat(read("<L><Blobs/><Next/></L>").next()).isNull();
        assertThat(read("<L/>").next()).isNull();
    }
}
