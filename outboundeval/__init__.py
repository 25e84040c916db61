"""What a program of yours imports of outboundeval: it reads runs, and starts ours in a process of its own.

    import outboundeval

    outboundeval.call("http://127.0.0.1:7860", scenario="cs-bank-complaint/hesitant", out="runs/one")
    outboundeval.load_run("runs/one").turns[["said", "latency_ms"]]

Nothing else of ours is imported into your process: no torch, no event loop, none of the packages ``harness``,
``metrics`` and ``voice_sim``, whose names a project may well have for its own.
"""

from outboundeval._commands import call, chat, report, run, score
from outboundeval._errors import Error
from outboundeval._run import Run, load_run

__all__ = ["Error", "Run", "call", "chat", "load_run", "report", "run", "score"]
