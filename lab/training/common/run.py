"""A resumable training run: its state in one checkpoint, and the loop that advances, reports and saves it."""

import json
import os
import pathlib
import time
from typing import Any, Callable, Protocol

import numpy as np
import torch


class Stateful(Protocol):
    """Net, loss or optimiser that can save and restore its state."""

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state: Any) -> Any: ...


class Run:
    """Parts of a training run by name, with the steps taken and the seconds of processor time used."""

    counts: tuple[str, ...] = ("step", "seconds")

    def __init__(self, out: pathlib.Path, parts: dict[str, Stateful]):
        out.mkdir(parents=True, exist_ok=True)
        (out / "pid").write_text(f"{os.getpid()}\n")
        self.path = out / "checkpoint.pt"
        self.parts = parts
        self.step, self.seconds = 0, 0.0

    def resume(self) -> None:
        """Restore the state from the checkpoint where there is one."""
        if self.path.exists():
            saved = torch.load(self.path, map_location="cpu")
            for name, part in self.parts.items():
                part.load_state_dict(saved[name])
            for name in self.counts:
                setattr(self, name, saved[name])

    def save(self) -> None:
        """Write the checkpoint atomically."""
        state = {name: part.state_dict() for name, part in self.parts.items()}
        counts = {name: getattr(self, name) for name in self.counts}
        torch.save({**state, **counts}, partial := self.path.with_suffix(".partial"))
        os.replace(partial, self.path)


class Limits:
    """Lengths of a run: at most so many steps and minutes of processor time, minutes of the clock between checkpoints,
    and minutes of processor time between evaluations, which are much rarer on a busy machine."""

    def __init__(self, steps: int, minutes: float, every: float, print_every: int, evaluate_every: float | None = None):
        self.steps, self.minutes, self.every, self.print_every = steps, minutes, every, print_every
        self.evaluate_every = every if evaluate_every is None else evaluate_every

    def progress(self, run: Run) -> float:
        """Return how much of the run is done, 0..1 and more."""
        return max(run.step / self.steps, run.seconds / 60 / self.minutes)


def train(
    run: Run, limits: Limits, advance: Callable[[float], dict[str, float]], evaluate: Callable[[], dict[str, Any]]
) -> None:
    """Advance a run step by step until its limits. Saves and evaluates every few minutes, and at the end.

    `advance` takes the progress 0..1 and returns the losses of its step by name.
    """
    measured_at, saved_at, evaluated_at = time.process_time(), time.monotonic(), time.process_time()
    recent: list[dict[str, float]] = []
    means: dict[str, float] = {}
    while (progress := limits.progress(run)) < 1:
        recent.append(advance(progress))
        run.step += 1
        now = time.process_time()
        run.seconds, measured_at = run.seconds + now - measured_at, now
        means = {name: round(float(np.mean([one[name] for one in recent])), 5) for name in recent[0]}
        if run.step % limits.print_every == 0:
            text = " ".join(f"{name} {value:.4f}" for name, value in means.items())
            print(f"step {run.step} {text} at {run.seconds / 60:.1f} min", flush=True)
            recent.clear()
        if time.monotonic() - saved_at > 60 * limits.every:
            run.save()
            saved_at = time.monotonic()
        if now - evaluated_at > 60 * limits.evaluate_every:
            print(json.dumps({"step": run.step, **evaluate()}), flush=True)
            measured_at = evaluated_at = time.process_time()
    run.save()
    print(json.dumps({"steps": run.step, **means, **evaluate()}), flush=True)
