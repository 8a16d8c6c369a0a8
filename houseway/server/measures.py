"""Measures: numbers that Prometheus collects."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.process_collector import ProcessCollector


class Measures:
    """The numbers of one server; a registry of its own, so that several can live in a process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.commands = Counter(
            "houseway_commands",
            "Commands, by what came of them",
            ("name", "outcome"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "houseway_command_seconds",
            "From a command's arrival to its answer",
            buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5),
            registry=self.registry,
        )
        self.streams = Gauge("houseway_streams", "Open event streams", registry=self.registry)
        self.position = Gauge(
            "houseway_journal_position", "Events in the journal", registry=self.registry
        )
