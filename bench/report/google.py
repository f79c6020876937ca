"""Runs a Google Benchmark program of ours."""
import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def program(name):
    return os.path.join(os.environ.get("JMS_BENCH_BUILD", os.path.join(ROOT, "build", "bench")), "bench", name)


def medians(name, quick):
    """{benchmark: its figures}, the medians of repetitions in mixed order, so that a busy moment hits all alike."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program(name), f"--benchmark_out={file.name}", "--benchmark_out_format=json",
                        f"--benchmark_repetitions={3 if quick else 7}", "--benchmark_enable_random_interleaving=true",
                        f"--benchmark_min_time={0.02 if quick else 0.1}", "--benchmark_report_aggregates_only=true"],
                       check=True, stdout=subprocess.DEVNULL)
        found = json.load(open(file.name))["benchmarks"]
    return {one["run_name"]: one for one in found if one.get("aggregate_name") == "median"}
