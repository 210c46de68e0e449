package io.pilothouse.server.certify;

import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.CertifyOptions;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.log.Escaped;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One certification from its first folder to its last: what it makes on this machine is gone at its end. */
public final class CertifyCommand {
    private static final int STOPS_WITHIN_SECONDS = 60;
    /** Variables that would have Terraform write elsewhere than into its copy. */
    private static final Set<String> NOT_FOR_TERRAFORM = Set.of("TF_DATA_DIR", "TF_WORKSPACE");

    private final Map<String, String> environment;
    private final PrintStream out;
    private final Place.Starter starter;
    private final LongSupplier nanoTime;
    private volatile @Nullable Terraform terraform;
    private volatile boolean stopped;
    private boolean stateIsNeeded;

    public CertifyCommand(
            Map<String, String> environment, PrintStream out, Place.Starter starter, LongSupplier nanoTime) {
        this.environment = environment;
        this.out = out;
        this.starter = starter;
        this.nanoTime = nanoTime;
    }

    /**
     * Certifies the module in a folder.
     *
     * @throws CommandRefused if it could not be tried, or if a step failed
     */
    public void run(String module, Config config) throws CommandRefused {
        CountDownLatch ended = new CountDownLatch(1);
        Thread stop = Thread.ofPlatform().name("stop certifying").unstarted(() -> stop(ended));
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            certify(Path.of(module), config);
        } catch (InvalidPathException e) {
            throw new CommandRefused(Escaped.text(module) + " is no folder.", e);
        } catch (IOException e) {
            throw new CommandRefused(
                    "The module cannot be certified: " + Escaped.text(String.valueOf(e.getMessage())) + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandRefused("It was interrupted.", e);
        } finally {
            ended.countDown();
            if (!stopped) {
                Runtime.getRuntime().removeShutdownHook(stop);
            }
        }
    }

    /** On Ctrl-C: ends the run of Terraform, and waits until all is cleared away. */
    private void stop(CountDownLatch ended) {
        stopped = true;
        try {
            Terraform running = terraform;
            if (running != null) {
                running.close();
            }
            ended.await(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void certify(Path module, Config config) throws CommandRefused, IOException, InterruptedException {
        Optional<Path> report = config.find(CertifyOptions.JUNIT);
        Optional<JUnitFile> junit = report.isPresent() ? Optional.of(JUnitFile.at(report.get())) : Optional.empty();
        Path binary = Terraform.find(config.find(CertifyOptions.TERRAFORM), environment);
        Path folder = Files.createTempDirectory("pilothouse-certify");
        try {
            ModuleCopy copy = ModuleCopy.of(module, folder.resolve("module"));
            Changes changes = Changes.read(module, config.find(CertifyOptions.CHANGES), copy.variables());
            Job job =
                    new Job(shown(module), binary, folder, copy, changes, config.find(CertifyOptions.VAR_FILE), junit);
            Optional<String> url = config.find(CertifyOptions.URL);
            if (url.isPresent()) {
                certify(job, Place.running(url.get(), environment));
            } else {
                try (Place.Started started = starter.start(folder.resolve("pilothouse"))) {
                    certify(job, started.place());
                }
            }
        } finally {
            if (stateIsNeeded) {
                out.println("Things may be left in the organization; the state that knows them is in "
                        + folder.resolve("module") + ".");
            } else {
                Folders.delete(folder);
            }
        }
    }

    private static String shown(Path module) {
        Path name = module.toAbsolutePath().normalize().getFileName();
        return name == null ? "module" : Escaped.text(name.toString());
    }

    /** What is to be certified, and with what; {@code folder} is for everything that is written meanwhile. */
    private record Job(
            String module,
            Path binary,
            Path folder,
            ModuleCopy copy,
            Changes changes,
            Optional<Path> values,
            Optional<JUnitFile> junit) {}

    private void certify(Job job, Place place) throws CommandRefused, IOException, InterruptedException {
        Masked masked = new Masked();
        masked.add(place.keySecret());
        place.alerts().ifPresent(alerts -> masked.add(alerts.token()));
        Client client = new Client(place);
        Organization organization = new Organization(place, client);
        Set<String> before = organization.things();
        Map<String, String> variables = variables(place);
        Path outputs = Files.createDirectory(job.folder().resolve("outputs"));
        try (Terraform started = new Terraform(job.binary(), variables, outputs)) {
            terraform = started;
            String version = version(started, job.folder());
            Report report = new Report(out, nanoTime, masked);
            out.println("Certifying " + job.module() + " with " + version + " against "
                    + (place.own() ? "a simulated Pilothouse of its own" : Escaped.text(place.base())) + ".");
            out.println();
            Workbench bench = new Workbench(
                    job.copy(), started, job.values(), Workbench.inputs(job.copy(), place.inputs()), masked);
            Certification certification = new Certification(
                    bench,
                    job.changes(),
                    organization,
                    new Controls(place, client),
                    place,
                    job.folder().resolve("second"),
                    report);
            try {
                certification.run(before, variables);
            } finally {
                stateIsNeeded = certification.mayHaveLeft() && !place.own();
                report.close();
                if (job.junit().isPresent()) {
                    job.junit().get().write(job.module(), Map.of("terraform", version), report.steps());
                }
            }
            long failed = report.count(Outcome.FAILED);
            if (failed > 0) {
                throw new CommandRefused(failed == 1 ? "One step failed." : failed + " steps failed.");
            }
        }
    }

    private Map<String, String> variables(Place place) {
        Map<String, String> variables = new TreeMap<>(environment);
        variables.keySet().removeAll(NOT_FOR_TERRAFORM);
        variables.putAll(place.environment());
        variables.put("TF_IN_AUTOMATION", "1");
        variables.put("CHECKPOINT_DISABLE", "1");
        return variables;
    }

    private static String version(Terraform terraform, Path folder)
            throws CommandRefused, IOException, InterruptedException {
        try {
            String first = terraform
                    .run(folder, List.of("version"))
                    .lines()
                    .filter(line -> line.matches("(OpenTofu|Terraform) v.*"))
                    .findFirst()
                    .orElse("an unknown version of Terraform");
            return Escaped.text(first);
        } catch (TerraformFailed e) {
            throw new CommandRefused("Terraform does not run: " + Escaped.text(String.join(" ", e.lines())), e);
        }
    }
}
