"""Voices that sing: speech whose melody is replaced by that of a score.

A vocoder: the envelope of each spectrum of the speech, played by a pulse that follows the notes, and by noise where the
speech is unvoiced. Above the 8 kHz of the speech, noise and overtones go on with the loudness of its highest band.
"""

import numpy as np

SAMPLE_RATE = 44100
WINDOW = 2048
HOP = 256
SMOOTH = 40
"""Cepstral coefficients of an envelope."""
BINS = WINDOW // 2 + 1
LIMIT = int(7400 * WINDOW / SAMPLE_RATE)
"""Bin above which the speech has no sound."""
HANN = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)

Melody = list[tuple[float, float, float]]
"""Start and length in seconds, pitch in MIDI keys."""


def framed(samples: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the windowed frames of mono samples that begin at places."""
    padded = np.pad(samples, (0, WINDOW + max(0, int(places.max()) + 1 - len(samples))))
    return padded[places[:, None] + np.arange(WINDOW)] * HANN


def envelopes(speech: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the smoothed amplitude of each frame of speech, frames x BINS."""
    logs = np.log(np.abs(np.fft.rfft(framed(speech, places))) + 1e-5)
    slope = np.arange(BINS - LIMIT) * (3.0 / (BINS - LIMIT))
    logs[:, LIMIT:] = logs[:, LIMIT - 40 : LIMIT].mean(axis=1, keepdims=True) - slope
    cepstrum = np.fft.irfft(logs)
    cepstrum[:, SMOOTH : WINDOW - SMOOTH + 1] = 0
    return np.exp(np.fft.rfft(cepstrum).real)


def voicing(envelope: np.ndarray) -> np.ndarray:
    """Return how voiced each frame is, 0..1, by the energy below 1 kHz over that above 3 kHz."""
    low, high = int(1000 * WINDOW / SAMPLE_RATE), int(3000 * WINDOW / SAMPLE_RATE)
    ratio = np.log((envelope[:, :low] ** 2).sum(axis=1) / ((envelope[:, high:] ** 2).sum(axis=1) + 1e-9))
    return np.clip((ratio + 0.5) / 2, 0, 1)


def pitches(chance: np.random.Generator, melody: Melody, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pitch in Hz and the loudness at each sample: notes that glide into each other and vibrate."""
    keys, loud = np.zeros(count), np.zeros(count)
    last = melody[0][2] if melody else 60
    for start, length, key in melody:
        first, end = int(start * SAMPLE_RATE), min(count, int((start + length) * SAMPLE_RATE))
        if end <= first:
            continue
        keys[first:end], loud[first:end] = key, chance.uniform(0.6, 1)
        keys[end:], last = key, key
    keys[: int(np.argmax(keys > 0))] = last
    glide = int(SAMPLE_RATE * chance.uniform(0.01, 0.09))
    keys, loud = smoothed(keys, glide), smoothed(loud, int(SAMPLE_RATE * 0.03))
    time = np.arange(count) / SAMPLE_RATE
    vibrato = chance.uniform(0, 0.5) * np.sin(2 * np.pi * chance.uniform(4.5, 6.5) * time + chance.uniform(0, 6))
    knots = np.arange(0, count / SAMPLE_RATE + 1, 0.25)
    wander = np.interp(time, knots, chance.normal(0, 0.12, len(knots)))
    return 440 * 2 ** ((keys + vibrato + wander - 69) / 12), loud


def smoothed(values: np.ndarray, width: int) -> np.ndarray:
    """Return the moving mean of values over a width, as long as they are."""
    sums = np.cumsum(np.pad(values, (width // 2 + 1, width - width // 2 - 1), "edge"))
    return (sums[width:] - sums[:-width]) / width if len(sums) > width else values


def pulses(pitch: np.ndarray) -> np.ndarray:
    """Return a train of pulses without aliases: of the sum of cosines up to 16 kHz, in closed form."""
    phase = 2 * np.pi * np.cumsum(pitch) / SAMPLE_RATE
    count = np.floor(16000 / np.maximum(pitch, 40))
    half = np.sin(phase / 2)
    near = np.abs(half) < 1e-4
    safe = np.where(near, 1, half)
    return np.where(near, count, (np.sin((count + 0.5) * phase) / safe - 1) / 2) / np.sqrt(count)


def sung(chance: np.random.Generator, speech: np.ndarray, melody: Melody, seconds: float) -> np.ndarray:
    """Return mono samples of speech (44.1 kHz) that sings a melody, the words drawn out by a random factor."""
    count = int(seconds * SAMPLE_RATE)
    pitch, loud = pitches(chance, melody, count)
    slow, formants = chance.uniform(0.6, 1.6), chance.uniform(0.88, 1.16)
    places = np.arange(0, count, HOP)
    envelope = envelopes(speech, (places / slow).astype(int) % max(1, len(speech) - WINDOW))
    bent = np.minimum(BINS - 1, np.arange(BINS) / formants)
    low = np.floor(bent).astype(int)
    share = (bent - low)[None]
    envelope = envelope[:, low] * (1 - share) + envelope[:, np.minimum(BINS - 1, low + 1)] * share
    voiced = voicing(envelope)[:, None]
    breath = chance.uniform(0.02, 0.2)
    harmonic, noise = np.fft.rfft(framed(pulses(pitch), places)), np.fft.rfft(framed(chance.normal(0, 1, count), places))
    frames = np.fft.irfft((harmonic * voiced + noise * (1 - voiced + breath)) * envelope) * HANN
    out = np.zeros(count + WINDOW)
    for at, frame in zip(places, frames):
        out[at : at + WINDOW] += frame
    return out[:count] * loud


def choir(chance: np.random.Generator, speech: list[np.ndarray], melody: Melody, seconds: float) -> np.ndarray:
    """Return stereo samples of a lead voice that may be doubled, with backing voices a third, fifth or octave apart."""
    lead = sung(chance, speech[0], melody, seconds)
    out = np.repeat(lead[:, None], 2, axis=1)
    scale = np.sqrt((lead**2).mean() + 1e-9)
    intervals: list[float] = [0.0] * int(chance.integers(0, 3)) if chance.random() < 0.4 else []
    if chance.random() < 0.35:
        intervals += [float(chance.choice([-12, -5, 4, 7, 12, 3])) for _ in range(int(chance.integers(1, 4)))]
    for number, interval in enumerate(intervals):
        voice = sung(chance, speech[1 + number % (len(speech) - 1)], [(a, b, key + interval) for a, b, key in melody], seconds)
        pan, gain = chance.uniform(-1, 1), chance.uniform(0.2, 0.7) * scale / np.sqrt((voice**2).mean() + 1e-9)
        late = int(chance.integers(0, 1500))
        voice = np.pad(voice, (late, 0))[: len(out)] * gain
        out += voice[:, None] * np.array([1 - max(0, pan), 1 + min(0, pan)])
    return out.astype(np.float32)
