package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.base.AzureConnection;
import io.pilothouse.core.base.Faults;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A container of an Azure storage account. */
final class AzureContainer implements FileStore {
    private static final ListedFiles LISTED =
            new ListedFiles("Blob", "Name", "Etag", "Content-Length", "NextMarker", UnaryOperator.identity());
    /** The database takes a name with one of these for a pattern. */
    private static final String OF_PATTERNS = "*?{";

    private final AzureConnection account;
    private final String container;
    private final FileGlob glob;
    private final StorageRequests requests;

    private AzureContainer(AzureConnection account, String container, FileGlob glob, Clock clock) {
        this.account = account;
        this.container = container;
        this.glob = glob;
        AzureSignature signature = new AzureSignature(account.account(), account.key());
        this.requests = new StorageRequests((method, address) -> signature.sign(method, address, clock.instant()));
    }

    static AzureContainer of(Assignment assignment, Clock clock) throws Owner {
        String connection = assignment.secrets().text("connectionString").orElse("");
        AzureConnection account = AzureConnection.parse(connection, new Faults())
                .orElseThrow(() -> new Owner("The connection string of the source must hold AccountName and AccountKey,"
                        + " and name an endpoint that is the address of a web server."));
        return new AzureContainer(
                account,
                assignment.source().text("azureContainerName").orElse(""),
                FileGlob.of(assignment.source().text("path").orElse("")),
                clock);
    }

    @Override
    public FileGlob glob() {
        return glob;
    }

    @Override
    public Optional<Found> single() {
        return Optional.empty();
    }

    @Override
    public Page page(@Nullable String token, String startAfter) throws Trouble {
        SortedMap<String, String> query = new TreeMap<>();
        query.put("restype", "container");
        query.put("comp", "list");
        query.put("maxresults", "1000");
        query.put("prefix", glob.prefix());
        if (token != null) {
            query.put("marker", token);
        }
        Page page = requests.list(address(), query, LISTED);
        for (Found file : page.files()) {
            if (glob.matches(file.key()) && file.key().chars().anyMatch(c -> OF_PATTERNS.indexOf(c) >= 0)) {
                throw new Owner("The file " + file.key() + " cannot be read: its name has one of " + OF_PATTERNS + ".");
            }
        }
        return page;
    }

    private String address() {
        return account.endpoint() + "/" + ObjectPlace.encoded(container);
    }

    @Override
    public boolean has(String key) throws Trouble {
        return requests.has(blob(key));
    }

    private URI blob(String key) {
        return URI.create(address() + "/" + ObjectPlace.encoded(key));
    }

    @Override
    public Optional<Found> find(String part) throws Trouble {
        String before = part(new Found("", "", 0));
        if (!part.startsWith(before)) {
            return Optional.empty();
        }
        String key = part.substring(before.length());
        return requests.find(key, blob(key));
    }

    @Override
    public Optional<FileQueue> queue(String url) {
        return Optional.empty();
    }

    @Override
    public String part(Found file) {
        return account.account() + "/" + container + "/" + file.key();
    }

    @Override
    public String table(String key, String format, String structure, String compression) {
        return "azureBlobStorage(" + Sql.text(account.endpoint().toString()) + ", " + Sql.text(container) + ", "
                + Sql.text(key) + ", " + Sql.text(account.account()) + ", " + Sql.text(account.key()) + ", "
                + Sql.text(format) + ", " + Sql.text(compression) + ", "
                + (structure.isEmpty() ? "'auto'" : Sql.text(structure)) + ")";
    }
}
