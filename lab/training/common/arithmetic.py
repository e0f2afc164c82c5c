"""The arithmetic in which convolutions are fastest on this processor."""

import functools
import pathlib

import torch

BFLOAT16_FLAGS = {"avx512_bf16", "amx_bf16"}


@functools.cache
def has_bfloat16() -> bool:
    """Tell whether the processor multiplies bfloat16 itself: emulated on AVX2 it takes up to 19 times as long as float32."""
    path = pathlib.Path("/proc/cpuinfo")
    return path.exists() and not BFLOAT16_FLAGS.isdisjoint(path.read_text().split())


def fast_arithmetic() -> torch.autocast:
    """Return a context in which convolutions compute in bfloat16 where the processor has it, and else in float32."""
    return torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16())
