"""Audio to speech spans: an energy detector that is exact to the sample, and a trained one that knows speech.

Neither is enough alone. Energy marks edges to the sample but takes any noise for speech; Silero knows
speech but answers in steps of 32 ms, some 20 ms late at onsets and 40 ms late at ends. So Silero decides
*whether*, energy decides *when*, and where they are further apart than a stated bound the edge is doubtful.
webrtcvad is there for comparison with other tools; it lags about 100 ms at ends.

The definition of an edge is pinned, because it alone can move an onset by tens of milliseconds: a sample is
**voiced** when its magnitude reaches max(-48 dBFS, 5 x noise floor). One correction: a transform codec
smears an abrupt edge (pre-echo, ringing), so a sample at an edge must also be within 20 dB of the peak of the
5 ms after an onset, or of the 20 ms (a codec frame) before an end. Over 192 cuts of speech at random places,
through Opus at 32 to 96 kbit/s, that brings the error of the end from 15.5 to 7.3 ms (p95); where speech ends
by itself it moves nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnxruntime
import webrtcvad
from faster_whisper.utils import get_assets_path
from faster_whisper.vad import SileroVADModel
from numpy.typing import NDArray

from metrics.detection.first_word import first_words, is_heard, is_speech
from metrics.detection.line_echo import EchoPath, LineEcho, doubt, lies_in
from metrics.detection.tone import is_tone
from metrics.resample import SPEECH_RATE_HZ, to_speech_rate
from metrics.soft_end import ends_at_full_level, later_sound, ringing_before, sound_after
from metrics.spans import Span, merge_spans

VERSION = "4"
"""1 took any pure tones for those of a calibration agent where there is no speech; 2 doubted an onset behind
a chime, and told a cut from the end of a sentence by how far above the threshold it lay; 3 took what rings on
behind a very loud sound for its end."""
THRESHOLD_DBFS = -48.0
FLOOR_FACTOR = 5.0
CLUSTER_GAP_S = 0.15
"""Voiced samples closer than this belong to one cluster: closures and short pauses inside words."""
MIN_CLUSTER_S = 0.04
"""A cluster with less voiced sound than this is a click."""
ONSET_SMEAR_S = 0.005
END_SMEAR_S = 0.02
SMEAR_RATIO = 0.1
CLICK_S = 0.015
CLICK_GAP_S = 0.03
"""Sound shorter than the first, then quiet longer than the second: no speech begins like that, but what comes
in with a click does. (Speech may well end like that, with the release of a final stop.)"""
TALK_GAP_S = 0.6
"""Quiet of at least this long ends a stretch of talk; shorter quiet is a pause between words."""
ONSET_DOUBT_S = 0.12
END_DOUBT_S = 0.25
"""Energy and Silero further apart than this at an edge: the edge is doubtful."""
SILERO_THRESHOLD = 0.5
SILERO_RELEASE = 0.35
SILERO_ONSET = 0.15
"""Speech that reached :data:`SILERO_THRESHOLD` began where the probability first rose above this: after a
silence the model takes up to 130 ms to make up its mind, but it stirs at once."""

MIN_TONE_S = 0.08
TONE_WIDTH_HZ = 30.0
TONE_SHARE = 0.95
"""A sound is a pure tone when this share of its power lies within 30 Hz of its strongest frequency."""
MARKER_HZ, MARKER_DBFS = 1000.0, -20.0
"""The tone of a calibration agent, and its RMS level: one that nobody but it plays is looked for."""
MARKER_OFF_HZ, MARKER_OFF_DB = 20.0, 2.0
MARKERS = 2
"""A calibration agent sounds at least so often; the beep of a voicemail comes once, at whatever level."""

_SILERO_CHUNK = 512
_FRAME_S = 0.02
_BLOCK_S = 0.005

Samples = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Talk:
    """A stretch of one side's speech, from its first to its last voiced sample.

    Attributes:
        span: The stretch; pauses inside are shorter than :data:`TALK_GAP_S`.
        clusters: Its voiced clusters, in order.
        onset_doubt, end_doubt: Why the edge is doubtful; empty when both detectors agree on it.
        onset_in: Where the onset lies, where it is doubtful and as far as that is known.
        soft_end: The level had already fallen off from the loud part before the last voiced sample, as at the
            end of a phrase or in a pause; False when the speech broke off at full level.
        open_s: For each cluster, how far off its end may be: sound that was taken for the codec's ringing, or
            that fades around the threshold, or ringing that was taken for sound. Empty: nothing is open.
        echo, hidden: The other side's own voice come back, and where it is heard around or in the stretch.
        own: Beside an echo, where in the stretch this side's own voice is certain.
    """

    span: Span
    clusters: tuple[Span, ...]
    onset_doubt: str = ""
    onset_in: Span | None = None
    end_doubt: str = ""
    soft_end: bool = False
    open_s: tuple[float, ...] = ()
    echo: EchoPath | None = None
    hidden: tuple[Span, ...] = ()
    own: tuple[Span, ...] = ()

    def echo_doubt(self, at_s: float, edge: str) -> str:
        """Why an echo leaves an edge ("onset", "end") at a time in doubt; empty where it does not."""
        return doubt(self.echo, edge) if self.echo is not None and lies_in(at_s, self.hidden) else ""

    def open_after(self, cluster: Span) -> float:
        """How far off the end of this cluster may be, in seconds."""
        return self.open_s[self.clusters.index(cluster)] if self.open_s else 0.0


@dataclass(frozen=True, kw_only=True)
class SpeechActivity:
    """All that the detectors say of one side of a call."""

    talks: tuple[Talk, ...]
    energy: tuple[Span, ...]
    silero: tuple[Span, ...]
    webrtcvad: tuple[Span, ...]
    noise_floor_dbfs: float | None
    """RMS level that 90 % of the time is exceeded; None for digital silence."""
    threshold_dbfs: float
    """Level from which a sample counted as voiced."""
    marker_tones: bool = False
    """Energy alone decided, because the side sounds in marker tones and never speaks."""
    tones: tuple[Span, ...] = ()
    """Clusters that are surely no speech, but chimes or beeps; none where the side sounds in marker tones."""
    echo: LineEcho | None = None
    """Of the other side's voice; None where there is none, or nobody looked for one
    (:mod:`metrics.detection.beside_caller`)."""

    @property
    def clusters(self) -> tuple[Span, ...]:
        return tuple(cluster for talk in self.talks for cluster in talk.clusters)


def detect_speech(
    audio: Samples,
    sample_rate_hz: int,
    *,
    present: Span | None = None,
    absent: tuple[Span, ...] = (),
    marker_tones: bool | None = None,
) -> SpeechActivity:
    """Finds the speech of one side of a call.

    Args:
        audio: Mono float32 in -1..1.
        sample_rate_hz: 8000, 16000, 22050, 24000, 44100 or 48000 Hz; others work too.
        present: Where the side sent audio at all; the noise floor is taken from there.
        absent: Stretches inside it that never arrived.
        marker_tones: Measure tones instead of speech: energy alone decides, Silero hears none in them. None:
            only where Silero hears no speech at all and every sound is the tone of a calibration agent, twice
            or more. Ringback, busy tones and beeps are none.
    """
    audio = _without_offset(np.asarray(audio, dtype=np.float32), sample_rate_hz, present, absent)
    floor = noise_floor(audio, sample_rate_hz, present=present, absent=absent)
    threshold = max(10 ** (THRESHOLD_DBFS / 20), FLOOR_FACTOR * floor)
    energy, clicks = _energy(audio, sample_rate_hz, threshold=threshold)
    narrow = to_speech_rate(audio, sample_rate_hz)
    silero = [] if marker_tones else silero_spans(narrow)
    if marker_tones is None:
        tonal = len(energy) >= MARKERS and not silero
        marker_tones = tonal and all(_is_marker(audio, sample_rate_hz, span) for span in energy)
    other = [] if marker_tones else webrtcvad_spans(narrow)
    tones = [] if marker_tones else _tones(audio, sample_rate_hz, energy, silero)
    if not marker_tones:
        words = [one for one in energy if one not in tones]
        missed = first_words(narrow, words, silero, other, pause_s=TALK_GAP_S, listen=silero_spans)
        silero = merge_spans([*silero, *missed])
    return SpeechActivity(
        talks=tuple(
            _talks(
                audio,
                sample_rate_hz,
                energy,
                None if marker_tones else silero,
                clicks=clicks,
                other=other,
                threshold=threshold,
                # Twice quieter, but not so that noise is heard.
                least=max(threshold / 2, FLOOR_FACTOR * floor),
                tones=tones,
            )
        ),
        energy=tuple(energy),
        silero=tuple(silero),
        webrtcvad=tuple(other),
        noise_floor_dbfs=float(20 * np.log10(floor)) if floor > 1e-6 else None,
        threshold_dbfs=float(20 * np.log10(threshold)),
        marker_tones=marker_tones,
        tones=tuple(tones),
    )


def talks_of(
    audio: Samples,
    sample_rate_hz: int,
    heard: SpeechActivity,
    *,
    sounds: Sequence[Span],
    silero: Sequence[Span],
    theirs: Sequence[Span],
    present: Span | None = None,
    absent: tuple[Span, ...] = (),
) -> tuple[Talk, ...]:
    """The talks of a side where of what :func:`detect_speech` heard some is known to be no speech of its own.

    Args:
        heard: What it said of the same audio, ``present`` and ``absent``.
        sounds, silero: What of the clusters and of Silero's speech is left.
        theirs: Where a faint sound is none of this side's either.
    """
    audio = _without_offset(np.asarray(audio, dtype=np.float32), sample_rate_hz, present, absent)
    floor = 0.0 if heard.noise_floor_dbfs is None else 10 ** (heard.noise_floor_dbfs / 20)
    threshold = 10 ** (heard.threshold_dbfs / 20)
    talks = _talks(
        audio,
        sample_rate_hz,
        list(sounds),
        list(silero),
        clicks=_energy(audio, sample_rate_hz, threshold=threshold)[1],
        other=list(heard.webrtcvad),
        threshold=threshold,
        least=max(threshold / 2, FLOOR_FACTOR * floor),
        theirs=theirs,
        tones=heard.tones,
    )
    return tuple(talks)


def _without_offset(audio: Samples, rate: int, present: Span | None, absent: tuple[Span, ...]) -> Samples:
    """The audio without its mean. What was never sent or never arrived is silent already: it neither counts
    for the mean nor is moved by it."""
    sent = np.full(len(audio), present is None)
    if present is not None:
        sent[max(0, round(present.start_s * rate)) : max(0, round(present.end_s * rate))] = True
    for span in absent:
        sent[max(0, round(span.start_s * rate)) : max(0, round(span.end_s * rate))] = False
    if not sent.any():
        return audio
    return np.asarray(np.where(sent, audio - np.mean(audio[sent]), audio), dtype=np.float32)


def noise_floor(
    audio: Samples, sample_rate_hz: int, *, present: Span | None = None, absent: tuple[Span, ...] = ()
) -> float:
    """RMS of the quietest tenth of 20 ms frames (their upper edge), as a linear amplitude."""
    frame = max(1, round(_FRAME_S * sample_rate_hz))
    count = len(audio) // frame
    rms = np.sqrt(np.mean(np.square(audio[: count * frame].reshape(count, frame)), axis=1))
    starts = np.arange(count) * _FRAME_S
    keep = np.ones(count, dtype=bool)
    if present is not None:
        keep &= (starts >= present.start_s) & (starts + _FRAME_S <= present.end_s)
    for span in absent:
        keep &= (starts + _FRAME_S <= span.start_s) | (starts >= span.end_s)
    return float(np.percentile(rms[keep], 10)) if keep.any() else 0.0


def energy_spans(audio: Samples, sample_rate_hz: int, *, threshold: float) -> list[Span]:
    """Clusters of voiced samples, edges exact to the sample: each starts at its first voiced sample and
    ends with its last. Clusters with less than :data:`MIN_CLUSTER_S` of voiced 5 ms blocks are left out."""
    return _energy(audio, sample_rate_hz, threshold=threshold)[0]


def _energy(audio: Samples, sample_rate_hz: int, *, threshold: float) -> tuple[list[Span], list[Span]]:
    """The clusters of voiced samples, and those that were too short to be one."""
    voiced = np.flatnonzero(np.abs(audio) >= threshold)
    if len(voiced) == 0:
        return [], []
    breaks = np.flatnonzero(np.diff(voiced) > CLUSTER_GAP_S * sample_rate_hz)
    firsts = np.concatenate([voiced[:1], voiced[breaks + 1]])
    lasts = np.concatenate([voiced[breaks], voiced[-1:]])
    block = max(1, round(_BLOCK_S * sample_rate_hz))
    blocks = voiced // block
    # In order already: to sort those of an hour takes seconds.
    active_blocks = blocks[np.concatenate([[True], blocks[1:] != blocks[:-1]])]
    spans, clicks = [], []
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        low, high = np.searchsorted(active_blocks, [first // block, last // block + 1])
        if (high - low) * _BLOCK_S >= MIN_CLUSTER_S:
            start, end = _without_smear(audio[first : last + 1], first, sample_rate_hz)
            spans.append(Span(start_s=start / sample_rate_hz, end_s=end / sample_rate_hz))
        else:
            clicks.append(Span(start_s=first / sample_rate_hz, end_s=last / sample_rate_hz))
    return spans, clicks


def _without_smear(cluster: Samples, offset: int, sample_rate_hz: int) -> tuple[int, int]:
    """First and last sample of a cluster, without what a codec smeared beyond its edges."""
    head = np.abs(cluster[: round(ONSET_SMEAR_S * sample_rate_hz) + 1])
    tail = np.abs(cluster[-round(END_SMEAR_S * sample_rate_hz) - 1 :])
    first = int(np.argmax(head >= SMEAR_RATIO * np.max(head)))
    last = int(np.argmax(tail[::-1] >= SMEAR_RATIO * np.max(tail)))
    return offset + first, offset + len(cluster) - 1 - last


def silero_spans(audio_16k: Samples) -> list[Span]:
    """Speech by Silero VAD at 16 kHz, in steps of 32 ms, with hysteresis and without any padding."""
    if len(audio_16k) == 0:
        return []
    padded = np.pad(audio_16k, (0, -len(audio_16k) % _SILERO_CHUNK))
    # The model writes into the view it is given.
    probabilities = np.asarray(_silero()(padded.copy())).ravel()
    spans: list[Span] = []
    start: int | None = None
    for index, probability in enumerate(probabilities.tolist()):
        if start is None and probability >= SILERO_THRESHOLD:
            start = index
            floor = round(spans[-1].end_s * SPEECH_RATE_HZ / _SILERO_CHUNK) if spans else 0
            while start > floor and probabilities[start - 1] >= SILERO_ONSET:
                start -= 1
        elif start is not None and probability < SILERO_RELEASE:
            spans.append(_chunks(start, index))
            start = None
    if start is not None:
        spans.append(_chunks(start, len(probabilities)))
    return merge_spans(spans, max_gap_s=0.1)


def webrtcvad_spans(audio_16k: Samples, *, mode: int = 2) -> list[Span]:
    """Speech by webrtcvad in frames of 10 ms; gaps up to 100 ms are closed, less than 30 ms is left out."""
    vad = webrtcvad.Vad(mode)
    pcm = np.asarray(np.clip(audio_16k * 32767, -32768, 32767), dtype=np.int16)
    frame = SPEECH_RATE_HZ // 100
    # In whole frames: in seconds rounding decides whether ten are more than 100 ms, or three less than 30.
    spans = []
    for index in range(len(pcm) // frame):
        if vad.is_speech(pcm[index * frame : (index + 1) * frame].tobytes(), SPEECH_RATE_HZ):
            spans.append(Span(start_s=index, end_s=index + 1))
    kept = [span for span in merge_spans(spans, max_gap_s=10) if span.duration_s >= 3]
    return [Span(start_s=span.start_s / 100, end_s=span.end_s / 100) for span in kept]


def _talks(
    audio: Samples,
    rate: int,
    energy: list[Span],
    silero: list[Span] | None,
    *,
    clicks: list[Span],
    other: list[Span],
    threshold: float,
    least: float,
    theirs: Sequence[Span] = (),
    tones: Sequence[Span] = (),
) -> list[Talk]:
    clusters = energy if silero is None else [c for c in energy if any(is_speech(c, s) for s in silero)]
    unheard = [one for one in energy if one not in clusters and is_heard(one, other)]
    unheard = [one for one in unheard if not _within(one, tones)]
    clicks = [one for one in clicks if not _within(one, theirs)]
    talks: list[Talk] = []
    for stretch in merge_spans(clusters, max_gap_s=TALK_GAP_S):
        own = tuple(cluster for cluster in clusters if cluster.overlap_s(stretch) > 0)
        onset_doubt = end_doubt = ""
        onset_in = None
        if silero is not None:
            speech = [span for span in silero if span.overlap_s(stretch) > 0]
            first_s = (stretch.start_s, speech[0].start_s)
            onset_doubt = _doubt("onset", first_s[0] - first_s[1], ONSET_DOUBT_S)
            onset_in = Span(start_s=min(first_s), end_s=max(first_s)) if onset_doubt else None
            if not onset_doubt:
                onset_doubt, onset_in = _click_doubt(audio, rate, stretch.start_s, threshold)
            if not onset_doubt:
                onset_doubt, onset_in = _unheard_doubt(stretch.start_s, unheard)
            end_doubt = _doubt("end", stretch.end_s - speech[-1].end_s, END_DOUBT_S)
            faint = later_sound(audio, rate, stretch.end_s, least=least, within_s=TALK_GAP_S)
            faint = [one for one in faint if not _within(one, theirs)]
            end_doubt = end_doubt or _cut_word_doubt(stretch.end_s, [*clicks, *faint])
        talks.append(
            Talk(
                span=stretch,
                clusters=own,
                onset_doubt=onset_doubt,
                onset_in=onset_in,
                end_doubt=end_doubt,
                soft_end=not ends_at_full_level(audio, rate, stretch),
                open_s=tuple(
                    max(
                        sound_after(audio, rate, one.end_s, threshold=threshold, least=least),
                        ringing_before(audio, rate, one.end_s),
                    )
                    for one in own
                ),
            )
        )
    return talks


def _within(sound: Span, theirs: Sequence[Span]) -> bool:
    return any(sound.overlap_s(one) > 0 for one in theirs)


def _tones(audio: Samples, rate: int, energy: Sequence[Span], silero: Sequence[Span]) -> list[Span]:
    """The clusters that are tones, and in which Silero hears no speech."""

    def sounds_so(one: Span) -> bool:
        return is_tone(audio[round(one.start_s * rate) : round(one.end_s * rate) + 1], rate)

    return [one for one in energy if not any(is_speech(one, span) for span in silero) and sounds_so(one)]


def _is_marker(audio: Samples, rate: int, span: Span) -> bool:
    """Whether a sound is the tone of a calibration agent: nearly all of it one steady sinusoid (no voice, no
    chime, no dual-tone ringing), of its frequency and its level."""
    sound = audio[round(span.start_s * rate) : round(span.end_s * rate) + 1]
    if len(sound) < MIN_TONE_S * rate:
        return False
    power = np.square(np.abs(np.fft.rfft(sound * np.hanning(len(sound)))))
    width = max(4, round(TONE_WIDTH_HZ * len(sound) / rate))
    peak = int(np.argmax(power))
    pure = np.sum(power[max(0, peak - width) : peak + width + 1]) >= TONE_SHARE * np.sum(power)
    # Half a bin is what the place of the peak leaves open.
    off_hz = abs(peak * rate / len(sound) - MARKER_HZ) - rate / len(sound) / 2
    off_db = abs(20 * np.log10(np.sqrt(np.mean(np.square(sound)))) - MARKER_DBFS)
    return bool(pure and off_hz <= MARKER_OFF_HZ and off_db <= MARKER_OFF_DB)


def _doubt(edge: str, apart_s: float, bound_s: float) -> str:
    if abs(apart_s) <= bound_s:
        return ""
    return f"the detectors put the {edge} {abs(apart_s) * 1000:.0f} ms apart (bound {bound_s * 1000:.0f} ms)"


def _click_doubt(audio: Samples, rate: int, start_s: float, threshold: float) -> tuple[str, Span | None]:
    """Why a first sound may be none of the speech, and then from where to where its onset lies."""
    start = round(start_s * rate)
    beginning = audio[start : start + round((CLICK_S + CLUSTER_GAP_S) * rate)]
    voiced = np.flatnonzero(np.abs(beginning) >= threshold)
    gaps = np.flatnonzero(np.diff(voiced) > CLICK_GAP_S * rate)
    if len(gaps) == 0 or voiced[gaps[0]] - voiced[0] >= CLICK_S * rate:
        return "", None
    later_s = float(voiced[gaps[0] + 1] - voiced[0]) / rate
    why = f"the first sound is as short as a click; the next one begins {later_s * 1000:.0f} ms later"
    return why, Span(start_s=start_s, end_s=start_s + later_s)


def _unheard_doubt(start_s: float, unheard: list[Span]) -> tuple[str, Span | None]:
    """A first word with a pause behind it, which Silero may miss, even where it is asked afresh; with it the
    onset would lie at its beginning."""
    before = next((one for one in unheard if start_s - TALK_GAP_S <= one.end_s <= start_s), None)
    if before is None:
        return "", None
    why = (
        f"{(start_s - before.start_s) * 1000:.0f} ms before it begins a sound of "
        f"{before.duration_s * 1000:.0f} ms that is speech to webrtcvad and not to Silero"
    )
    return why, Span(start_s=before.start_s, end_s=start_s)


def _cut_word_doubt(end_s: float, clicks: list[Span]) -> str:
    """An agent that is cut in the first moments of a word has stopped there, and not with the word before."""
    after = next((one for one in clicks if end_s < one.start_s <= end_s + TALK_GAP_S), None)
    if after is None:
        return ""
    return (
        f"{(after.start_s - end_s) * 1000:.0f} ms later comes a sound of {after.duration_s * 1000:.0f} ms: a "
        "click, or the beginning of a word that was cut"
    )


def _chunks(start: int, end: int) -> Span:
    step_s = _SILERO_CHUNK / SPEECH_RATE_HZ
    return Span(start_s=start * step_s, end_s=end * step_s)


@functools.cache
def _silero() -> SileroVADModel:
    path = f"{get_assets_path()}/silero_vad_v6.onnx"
    model = SileroVADModel(path)
    # Its own session keeps a plan of the memory for each length of sound that it ever met, which no two calls
    # share: some 200 kB each.
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    options.log_severity_level = 4
    model.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return model
