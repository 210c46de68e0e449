package io.pilothouse.core.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipeConnectionStringTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AccountName=acme;AccountKey=aGk=;EndpointSuffix=x.net | AccountName=acme;AccountKey=***;EndpointSuffix=x.net",
                "accountkey=a;ACCOUNTNAME=acme; | accountkey=***;ACCOUNTNAME=acme;",
                "BlobEndpoint=https://acme.x.net/;SharedAccessSignature=sv=1&sig=z | BlobEndpoint=https://acme.x.net/;SharedAccessSignature=***",
                "BlobEndpoint=https://acme.x.net/?sig=z | BlobEndpoint=***",
                "BlobEndpoint=https://user:key@acme.x.net/ | BlobEndpoint=***",
                "SomethingNew=a-key | SomethingNew=***",
                "no-connection-string | ***"
            })
    void accountAndPlacesStayAndAllElseIsBlanked(String text, String shown) {
        assertThat(PipeConnectionString.blanked(text)).isEqualTo(shown);
    }

    @Test
    void aTextThatIsSentBackAsItWasShownAsksForNoChange() {
        Tree.Members shown = PipeConnectionString.shown(Tree.Members.NONE, member("AccountName=a;AccountKey=k"));
        assertThat(shown).isEqualTo(member("AccountName=a;AccountKey=***"));
        assertThat(PipeConnectionString.changed(shown, shown)).isEqualTo(Tree.Members.NONE);
        assertThat(PipeConnectionString.changed(member("AccountKey=new"), shown))
                .isEqualTo(member("AccountKey=new"));
        assertThat(PipeConnectionString.shown(shown, Tree.Members.NONE)).isEqualTo(Tree.Members.NONE);
    }

    private static Tree.Members member(String text) {
        return new Tree.Members(Map.of("connectionString", new Tree.Text(text)));
    }
}
