"""The table of commands: what each is for, where its options stand, and where its work lies.

A new command is a file in ``options``, one in ``commands``, and its entry here.
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.cli.lazily import Command, Group

_OPTIONS = "harness.cli.options"
_COMMANDS = "harness.cli.commands"

_PERSONA = Group(
    summary="The simulated person: did it play its part?",
    help="The simulated person: made from real calls, checked after each call.",
    commands={
        "guard": Group(
            summary="Did the simulated caller play its part? Checks a run, or the checker itself.",
            default="run",
            commands={
                "run": Command(
                    summary="Check the simulated caller of every call or dialogue of a run, and write "
                    "guard.json beside each.",
                    takes=f"{_OPTIONS}.persona.guard:GuardRunOptions",
                    does=f"{_COMMANDS}.persona.guard:run",
                ),
                "check": Command(
                    summary="How many planted faults the guard finds, and how often it is wrong, with 95 % "
                    "intervals.",
                    takes=f"{_OPTIONS}.persona.guard:GuardCheckOptions",
                    does=f"{_COMMANDS}.persona.guard:check_the_guard",
                ),
            },
        ),
        "understanding": Command(
            summary="How much of what strangers' agents say the simulated caller understands, with 95 % "
            "intervals.",
            takes=f"{_OPTIONS}.persona.understanding:UnderstandingOptions",
            does=f"{_COMMANDS}.persona.understanding:try_sets",
        ),
        "examples": Command(
            summary="What an agent's words may mean to a person; what a line of yours would be taken for.",
            takes=f"{_OPTIONS}.persona.understanding:ExamplesOptions",
            does=f"{_COMMANDS}.persona.understanding:examples",
        ),
        "build": Command(
            summary="Make personas from real calls, in steps that can each be done again.",
            takes=f"{_OPTIONS}.persona.build:BuildOptions",
            does=f"{_COMMANDS}.persona.build:build",
        ),
        "realism": Group(
            summary="Is the simulated person taken for a real one? Judged by a language model and by people.",
            commands={
                "judge": Command(
                    summary="Ask a language model: a score of 0-9, human or not, and which of two is human, "
                    "each pair in both orders.",
                    takes=f"{_OPTIONS}.persona.realism:RealismJudgeOptions",
                    does=f"{_COMMANDS}.persona.realism:judge",
                ),
                "export": Command(
                    summary="Make a blind sheet for people: one page that works from disk, and the same as "
                    "a table.",
                    takes=f"{_OPTIONS}.persona.realism:RealismExportOptions",
                    does=f"{_COMMANDS}.persona.realism:export",
                ),
                "import": Command(
                    summary="Read the raters' files back, hold every answer to the sheet, and print the "
                    "tables.",
                    takes=f"{_OPTIONS}.persona.realism:RealismImportOptions",
                    does=f"{_COMMANDS}.persona.realism:import_",
                ),
                "report": Command(
                    summary="Print the tables of the paper's section 4.4 (1, 2, 3) with intervals and tests.",
                    takes=f"{_OPTIONS}.persona.realism:RealismReportOptions",
                    does=f"{_COMMANDS}.persona.realism:report",
                ),
            },
        ),
    },
)

COMMANDS: Mapping[str, Command | Group] = {
    "call": Command(
        summary="One call to an agent, with transcript and latency as it happens.",
        takes=f"{_OPTIONS}.call:CallOptions",
        does=f"{_COMMANDS}.call:call",
    ),
    "run": Command(
        summary="The calls of a plan file, measured and reported. Goes on where it was cut off.",
        takes=f"{_OPTIONS}.run:RunOptions",
        does=f"{_COMMANDS}.run:run",
    ),
    "answer": Command(
        summary="The calls of a plan file, placed by the agent: it rings, and we pick up.",
        takes=f"{_OPTIONS}.answer:AnswerOptions",
        does=f"{_COMMANDS}.answer:answer",
    ),
    "chat": Command(
        summary="The same calls in text: one dialogue, or the benchmark for language models.",
        takes=f"{_OPTIONS}.chat:ChatOptions",
        does=f"{_COMMANDS}.chat:chat",
    ),
    "merge": Command(
        summary="Put the shards of a run together, and score them as one.",
        takes=f"{_OPTIONS}.nightly.merge:MergeOptions",
        does=f"{_COMMANDS}.nightly.merge:merge",
    ),
    "score": Command(
        summary="Score a run again, a stereo call recording, or a clip of one voice.",
        takes=f"{_OPTIONS}.score:ScoreOptions",
        does=f"{_COMMANDS}.score:score",
    ),
    "score-asr": Command(
        summary="Recognisers alone: error rates and speed on clips whose words are known.",
        takes=f"{_OPTIONS}.components.score:ScoreAsrOptions",
        does=f"{_COMMANDS}.components.score:score_asr",
    ),
    "score-tts": Command(
        summary="Voices alone: how well texts are understood, how they sound, how fast they come.",
        takes=f"{_OPTIONS}.components.score:ScoreTtsOptions",
        does=f"{_COMMANDS}.components.score:score_tts",
    ),
    "report": Command(
        summary="Write the report page of a run again, or a leaderboard.",
        takes=f"{_OPTIONS}.report:ReportOptions",
        does=f"{_COMMANDS}.report:report",
    ),
    "compare": Command(
        summary="Two runs of the same calls: what changed, how sure that is, what could have been seen.",
        takes=f"{_OPTIONS}.nightly.compare:CompareOptions",
        does=f"{_COMMANDS}.nightly.compare:compare",
    ),
    "history": Command(
        summary="Figures over the nights: where a level changed, by how much, and what changed with it.",
        takes=f"{_OPTIONS}.nightly.history:HistoryOptions",
        does=f"{_COMMANDS}.nightly.history:history",
    ),
    "serve": Command(
        summary="Show nights and runs to a team: read-only, on this machine unless told otherwise.",
        takes=f"{_OPTIONS}.nightly.serve:ServeOptions",
        does=f"{_COMMANDS}.nightly.serve:serve",
    ),
    "pin": Command(
        summary="From a call that went wrong to a case: the caller's side, and what has to go otherwise.",
        takes=f"{_OPTIONS}.nightly.pin:PinOptions",
        does=f"{_COMMANDS}.nightly.pin:pin",
    ),
    "prune": Command(
        summary="Take sound and words out of old runs; their figures and verdicts stay.",
        takes=f"{_OPTIONS}.nightly.prune:PruneOptions",
        does=f"{_COMMANDS}.nightly.prune:prune",
    ),
    "calibrate": Command(
        summary="Measure the harness's own timing error and store the error bar.",
        takes=f"{_OPTIONS}.calibrate:CalibrateOptions",
        does=f"{_COMMANDS}.calibrate:calibrate_timing",
    ),
    "selftest": Command(
        summary="Prove the instrument here: planted defects have to be found, and nothing else.",
        takes=f"{_OPTIONS}.selfcheck.selftest:SelftestOptions",
        does=f"{_COMMANDS}.selfcheck.selftest:selftest",
    ),
    "judge": Group(
        summary="Judges of the words: how often one is right.",
        commands={
            "check": Command(
                summary="Have a judge judge a labelled set, and say how often it agrees, with intervals.",
                takes=f"{_OPTIONS}.judge:JudgeCheckOptions",
                does=f"{_COMMANDS}.judge:check",
            ),
        },
    ),
    "annotate": Group(
        summary="People rate dialogues: blind sheets out, agreement with each other and a judge back.",
        help="People rate dialogues: sheets out, agreement back.",
        commands={
            "export": Command(
                summary="Write a blind rating sheet: one page that works from disk, and the same items as "
                "a CSV.",
                takes=f"{_OPTIONS}.annotate:AnnotateExportOptions",
                does=f"{_COMMANDS}.annotate:export",
            ),
            "import": Command(
                summary="Read rating sheets back: agreement of raters with each other and with a judge, and "
                "every difference.",
                takes=f"{_OPTIONS}.annotate:AnnotateImportOptions",
                does=f"{_COMMANDS}.annotate:import_",
            ),
        },
    ),
    "listen": Group(
        summary="People rate the agent's voice: a listening page out, the mean opinion score back.",
        help="People rate the agent's voice: a page out, 'mos' back.",
        commands={
            "export": Command(
                summary="Write a listening page: clips at one level, anchors, traps, a headphone test.",
                takes=f"{_OPTIONS}.people.listen:ListenExportOptions",
                does=f"{_COMMANDS}.listen:export",
            ),
            "import": Command(
                summary="Read raters' files back, set aside who did not listen, and give 'mos' its value.",
                takes=f"{_OPTIONS}.people.listen:ListenImportOptions",
                does=f"{_COMMANDS}.listen:import_",
            ),
        },
    ),
    "persona": _PERSONA,
    "scenarios": Command(
        summary="The calls that can be placed: list, show, check, import.",
        does=f"{_COMMANDS}.scenarios:app",
    ),
    "probes": Command(
        summary="Probe suites, planted in calls: list, show, check.",
        does=f"{_COMMANDS}.probes:app",
    ),
    "agents": Command(
        summary="Reference agents to call: list and serve.",
        does=f"{_COMMANDS}.agents:app",
    ),
    "models": Command(
        summary="Models for speech and scores: list, check and fetch.",
        does=f"{_COMMANDS}.models:app",
    ),
    "doctor": Command(
        summary="What is installed, what is missing, what to do.",
        takes=f"{_OPTIONS}.doctor:DoctorOptions",
        does=f"{_COMMANDS}.doctor:doctor",
    ),
    "demo": Command(
        summary="Six real calls to a voice agent on this machine, measured and reported.",
        takes=f"{_OPTIONS}.demo:DemoOptions",
        does=f"{_COMMANDS}.demo:demo",
    ),
}
"""Every command, in the order in which help lists them."""
