package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeKind;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sources nothing here reads. */
class UnservedTest {
    private static final Tree.Members BY_ROLE = new Tree.Members(
            Map.of("authentication", new Tree.Text("IAM_ROLE"), "iamRole", new Tree.Text("arn:aws:iam::1:role/one")));

    @ParameterizedTest
    @CsvSource({"KINESIS", "OBJECT_STORAGE"})
    void roleNeedsAnIdentityOfTheOperatorsToBeTakenOnWith(PipeKind kind) {
        assertThat(new Unserved(true).reason(kind, BY_ROLE)).isEmpty();
        assertThat(new Unserved(false).reason(kind, BY_ROLE))
                .hasValueSatisfying(reason -> assertThat(reason).contains("aws-access-key-id", "use IAM_USER"));
    }
}
