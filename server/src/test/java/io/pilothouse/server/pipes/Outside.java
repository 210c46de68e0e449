package io.pilothouse.server.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.pipe.ReversePrivateEndpoints;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.plane.local.UnservedPipes;
import io.pilothouse.plane.simulated.SimulatedReversePrivateEndpoints;
import io.pilothouse.plane.simulated.SimulatedRunner;
import java.time.Duration;

/** The things outside of the control plane that pipes and reverse private endpoints need. */
record Outside(PipeRunner runner, ReversePrivateEndpoints endpoints) {

    /** With a runner of a plane that has no workers. */
    static Outside unserved(Clock clock, Duration phase) {
        return new Outside(new UnservedPipes(), new SimulatedReversePrivateEndpoints(clock, phase));
    }

    static Outside simulated(Clock clock, Duration phase) {
        return new Outside(new SimulatedRunner(clock, phase), new SimulatedReversePrivateEndpoints(clock, phase));
    }

    /** Reports the moments before and after each effect, where a process may die or a call fail. */
    Outside watched(Watcher watcher) {
        return new Outside(new WatchedRunner(runner, watcher), new WatchedEndpoints(endpoints, watcher));
    }

    /** Hears of a moment, and may end it with a fault. */
    @FunctionalInterface
    interface Watcher {
        void at(String moment) throws PlaneFault;
    }

    private record WatchedRunner(PipeRunner runner, Watcher watcher) implements PipeRunner {
        @Override
        public PipeSight observe(Pipe pipe) throws PlaneFault {
            watcher.at("observe");
            return runner.observe(pipe);
        }

        @Override
        public void start(Pipe pipe) throws PlaneFault {
            watcher.at("before start");
            runner.start(pipe);
            watcher.at("after start");
        }

        @Override
        public void stop(Pipe pipe) throws PlaneFault {
            watcher.at("before stop");
            runner.stop(pipe);
            watcher.at("after stop");
        }

        @Override
        public void erase(Pipe pipe) throws PlaneFault {
            watcher.at("before erase");
            runner.erase(pipe);
            watcher.at("after erase");
        }
    }

    private record WatchedEndpoints(ReversePrivateEndpoints endpoints, Watcher watcher)
            implements ReversePrivateEndpoints {
        @Override
        public Status observe(ReversePrivateEndpoint endpoint) throws PlaneFault {
            watcher.at("observe");
            return endpoints.observe(endpoint);
        }

        @Override
        public void connect(ReversePrivateEndpoint endpoint) throws PlaneFault {
            watcher.at("before connect");
            endpoints.connect(endpoint);
            watcher.at("after connect");
        }

        @Override
        public void remove(ReversePrivateEndpoint endpoint) throws PlaneFault {
            watcher.at("before remove");
            endpoints.remove(endpoint);
            watcher.at("after remove");
        }
    }
}
