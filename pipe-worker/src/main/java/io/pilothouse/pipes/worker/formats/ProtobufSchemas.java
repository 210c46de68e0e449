package io.pilothouse.pipes.worker.formats;

import com.google.protobuf.AnyProto;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import io.pilothouse.pipes.worker.formats.SchemaRegistry.Reference;
import io.pilothouse.pipes.worker.formats.SchemaRegistry.Written;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Schemas of Protobuf in their binary form, which is what a registry is asked for: it has read the text of them. */
final class ProtobufSchemas implements SchemaLanguage<ProtobufJson> {
    /** Has a registry answer with a schema in its binary form. */
    static final String BINARY = "?format=serialized";

    private static final int MAX_REFERENCES = 100;

    private final Columns columns;

    ProtobufSchemas(Columns columns) {
        this.columns = columns;
    }

    @Override
    public String type() {
        return "PROTOBUF";
    }

    @Override
    public ProtobufJson read(Written written, SchemaRegistry registry) throws Trouble {
        return new ProtobufJson(parsed(written, registry), columns);
    }

    static FileDescriptor parsed(Written written, SchemaRegistry registry) throws Trouble {
        Map<String, FileDescriptor> known = new HashMap<>();
        Stream.of(
                        AnyProto.getDescriptor(),
                        DurationProto.getDescriptor(),
                        EmptyProto.getDescriptor(),
                        FieldMaskProto.getDescriptor(),
                        StructProto.getDescriptor(),
                        TimestampProto.getDescriptor(),
                        WrappersProto.getDescriptor())
                .forEach(file -> known.put(file.getName(), file));
        return read(written, registry, known);
    }

    private static FileDescriptor read(Written written, SchemaRegistry registry, Map<String, FileDescriptor> known)
            throws Trouble {
        for (Reference reference : written.references()) {
            if (known.size() > MAX_REFERENCES) {
                throw new BadData("It refers to more than " + MAX_REFERENCES + " others.");
            }
            if (!known.containsKey(reference.name())) {
                known.put(reference.name(), read(registry.find(reference), registry, known));
            }
        }
        try {
            FileDescriptorProto file =
                    FileDescriptorProto.parseFrom(Base64.getDecoder().decode(written.text()));
            List<FileDescriptor> needed = new ArrayList<>();
            for (String name : file.getDependencyList()) {
                FileDescriptor other = known.get(name);
                if (other != null) {
                    needed.add(other);
                }
            }
            // What only explains a schema, such as the options of a registry, may be missing.
            return FileDescriptor.buildFrom(file, needed.toArray(new FileDescriptor[0]), true);
        } catch (IllegalArgumentException | InvalidProtocolBufferException _) {
            throw new Owner("The schema registry does not give schemas of Protobuf in their binary form"
                    + " (format=serialized), so they cannot be read.");
        } catch (DescriptorValidationException fault) {
            throw new BadData("It cannot be understood: " + fault.getMessage());
        }
    }

    @Override
    public byte[] row(ProtobufJson schema, byte[] message, int from) throws BadData {
        try {
            CodedInputStream in = CodedInputStream.newInstance(message, from, message.length - from);
            return schema.row(in, from > 0);
        } catch (IOException | RuntimeException _) {
            // The library has several ways to say that bytes are not what they should be.
            throw new BadData("The message is not what its schema says.");
        }
    }
}
