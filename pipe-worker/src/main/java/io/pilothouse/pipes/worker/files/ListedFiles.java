package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.FileStore.Page;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * How a list of files is written in XML: the names of the elements that hold a file and what is said of it, of the one
 * that leads on, and how a key is written.
 */
record ListedFiles(String file, String key, String etag, String size, String next, UnaryOperator<String> decoded) {
    Page read(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        XMLStreamReader xml = factory.createXMLStreamReader(in);
        Set<String> wanted = Set.of(key, etag, size);
        List<Found> files = new ArrayList<>();
        Map<String, String> seen = new HashMap<>();
        String more = "";
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamReader.START_ELEMENT) {
                String name = xml.getLocalName();
                if (name.equals(file)) {
                    seen.clear();
                } else if (wanted.contains(name)) {
                    seen.put(name, xml.getElementText());
                } else if (name.equals(next)) {
                    more = xml.getElementText();
                }
            } else if (event == XMLStreamReader.END_ELEMENT
                    && xml.getLocalName().equals(file)) {
                files.add(found(seen));
            }
        }
        return new Page(files, more.isEmpty() ? null : more);
    }

    private Found found(Map<String, String> seen) {
        return new Found(
                decoded.apply(seen.getOrDefault(key, "")),
                seen.getOrDefault(etag, "").replace("\"", ""),
                Long.parseLong(seen.getOrDefault(size, "0")));
    }
}
