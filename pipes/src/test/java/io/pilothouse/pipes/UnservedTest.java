package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeKind;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sources nothing here reads. */
class UnservedTest {
    private static final Tree.Members BY_ROLE = new Tree.Members(
            Map.of("authentication", new Tree.Text("IAM_ROLE"), "iamRole", new Tree.Text("arn:aws:iam::1:role/one")));

    @ParameterizedTest
    @CsvSource({"KINESIS, IAM_USER", "OBJECT_STORAGE, IAM_USER", "KAFKA, SCRAM-SHA-512", "POSTGRES, basic"})
    void roleNeedsAnIdentityOfTheOperatorsToBeTakenOnWith(PipeKind kind, String instead) {
        assertThat(new Unserved(true).reason(kind, BY_ROLE)).isEmpty();
        assertThat(new Unserved(false).reason(kind, BY_ROLE))
                .hasValueSatisfying(reason -> assertThat(reason).contains("aws-access-key-id", "use " + instead));
    }

    @ParameterizedTest
    @CsvSource({"s3, IAM_USER", "gcs, SERVICE_ACCOUNT", "azureblobstorage, CONNECTION_STRING", "s3, ''"})
    void filesAreReadWithEveryOtherLogin(String type, String authentication) {
        assertThat(new Unserved(false).reason(PipeKind.OBJECT_STORAGE, files(type, authentication, "")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"JSONEachRow, true", "CSV, true", "Protobuf, false", "AvroConfluent, false"})
    void messagesThatDoNotSayWhatTheyAreNeedARegistry(String format, boolean read) {
        Tree.Members source = new Tree.Members(Map.of("format", new Tree.Text(format)));
        assertThat(new Unserved(false).reason(PipeKind.KAFKA, source).isEmpty()).isEqualTo(read);
    }

    @Test
    void queueOfGoogleIsNotListenedTo() {
        assertThat(new Unserved(false)
                        .reason(PipeKind.OBJECT_STORAGE, files("gcs", "SERVICE_ACCOUNT", "projects/p/topics/t")))
                .hasValueSatisfying(reason -> assertThat(reason).contains("Pub/Sub", "without queueUrl"));
    }

    private static Tree.Members files(String type, String authentication, String queue) {
        return new Tree.Members(Map.of(
                "type",
                new Tree.Text(type),
                "authentication",
                new Tree.Text(authentication),
                "queueUrl",
                new Tree.Text(queue)));
    }
}
