"""``python -m bench.understanding.process_vectors``: writes the vectors of process lines that come along."""

from __future__ import annotations

from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.process_talk.lines import all_process_lines
from voice_sim.understanding.process_talk.vectors import vectors_path, write_vectors


def main() -> None:
    encoder = E5Encoder()
    for language in ("en", "zh"):
        write_vectors(language, encoder.name, encoder.encode(all_process_lines(language)))
        path = vectors_path(language, encoder.name)
        print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
