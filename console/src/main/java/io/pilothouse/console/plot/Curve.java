package io.pilothouse.console.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Values at equal distances as one path of an SVG, from the left to the right edge and from 0 at the bottom, or below it
 * for values below 0. NaN is a gap; a value between two gaps is a dot.
 */
public final class Curve {
    private final List<Double> values;
    private final double lowest;
    private final double highest;

    private Curve(List<Double> values) {
        this.values = List.copyOf(values);
        this.lowest = known().min().orElse(0);
        this.highest = known().max().orElse(0);
    }

    public static Curve of(List<Double> values) {
        return new Curve(values.stream()
                .map(value -> Double.isFinite(value) ? value : Double.NaN)
                .toList());
    }

    /** The same with one value for several, the highest of each, so that a small picture takes few bytes. */
    public Curve thinned(int to) {
        int together = Math.max(1, (values.size() + to - 1) / to);
        List<Double> thinned = new ArrayList<>();
        for (int end = values.size(); end > 0; end -= together) {
            thinned.addFirst(
                    Curve.of(values.subList(Math.max(0, end - together), end)).highestOrNothing());
        }
        return new Curve(thinned);
    }

    private double highestOrNothing() {
        return isEmpty() ? Double.NaN : highest;
    }

    private DoubleStream known() {
        return values.stream().mapToDouble(Double::doubleValue).filter(value -> !Double.isNaN(value));
    }

    public boolean isEmpty() {
        return known().findAny().isEmpty();
    }

    public double lowest() {
        return lowest;
    }

    public double highest() {
        return highest;
    }

    /** The path in a picture of this size; a line at the edge is drawn whole. */
    public String path(int width, int height) {
        StringBuilder path = new StringBuilder();
        double floor = Math.min(0, lowest);
        double range = Math.max(0, highest) - floor;
        boolean drawing = false;
        int steps = Math.max(1, values.size() - 1);
        for (int at = 0; at < values.size(); at++) {
            double value = values.get(at);
            if (Double.isNaN(value)) {
                drawing = false;
                continue;
            }
            long x = Math.round((double) at * width / steps);
            double part = range == 0 ? 0 : (value - floor) / range;
            long y = 1 + Math.round((1 - part) * (height - 2));
            path.append(drawing ? 'L' : 'M').append(x).append(' ').append(y);
            boolean alone = !drawing && (at + 1 == values.size() || Double.isNaN(values.get(at + 1)));
            if (alone) {
                path.append("h0");
            }
            drawing = true;
        }
        return path.toString();
    }
}
