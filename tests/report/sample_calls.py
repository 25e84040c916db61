"""The calls of the run that report tests read: one of each kind, with figures that are worked by hand.

Latencies (ms) by call, in order: plain 740 620 1180 910; interruptions 560 -120 1460; noisy 1320 1040;
script-tag 830. Interruptions: stops after 320, 440, 690 and 505 (straddling), one run-on, one that ended by
itself, one indeterminate.
"""

from __future__ import annotations

from typing import Any

from harness.records.call import CallStatus, Gap
from harness.records.scores import ClipQuality, InterruptionTiming, TurnTiming, WordCounts
from metrics.score import Status
from tests.report.make_run import ATTACK, MadeCall, Said, answered


def sample_calls() -> list[MadeCall]:
    return [
        plain_call(),
        interruption_call(),
        noisy_call(),
        script_tag_call(),
        silent_call(),
        setup_failed_call(),
        faulty_call(),
    ]


def plain_call() -> MadeCall:
    said = [
        Said(
            side="agent",
            start_s=0.9,
            end_s=4.1,
            text="Hello, this is Anna from Riverside Bank. How can I help you today?",
        ),
        Said(
            side="caller",
            start_s=4.6,
            end_s=7.26,
            text="Hi, there's a charge of 200 dollars that I don't recognise.",
            heard="Hi, there's a charge of 200 dollars that I don't recognize.",
        ),
        Said(
            side="agent",
            start_s=8.0,
            end_s=12.4,
            text="I'm sorry about that. Could you tell me the last four digits of your card, please?",
            heard="I'm sorry about that. Could you tell me the last four digits of your guard, please?",
            unsure=("guard",),
        ),
        Said(
            side="caller",
            start_s=12.9,
            end_s=15.38,
            text="Sure, the card ends in three three four one.",
            heard="Sure the guard ends in three four one.",
        ),
        Said(
            side="agent",
            start_s=16.0,
            end_s=20.2,
            text="Thank you. I can see a payment of 200 dollars to Harbour Books on the first of May.",
        ),
        Said(side="caller", start_s=20.7, end_s=22.82, text="That wasn't me. Can you block it?", heard=None),
        Said(
            side="agent",
            start_s=24.0,
            end_s=28.0,
            text="Of course. I have blocked the card and you will get a new one within five days.",
        ),
        Said(side="caller", start_s=28.5, end_s=30.09, text="Great, thanks a lot. Goodbye."),
        Said(side="agent", start_s=31.0, end_s=32.6, text="You're welcome. Goodbye."),
    ]
    return MadeCall(
        id="plain",
        title="Unknown charge, quiet line",
        duration_s=34.0,
        said=said,
        turns=[
            answered(0, (4.6, 7.26), (8.0, 12.4)),
            answered(1, (12.9, 15.38), (16.0, 20.2)),
            answered(2, (20.7, 22.82), (24.0, 28.0), notes=("detectors differ by 12 ms",)),
            answered(3, (28.5, 30.09), (31.0, 32.6)),
        ],
        clips=[
            _clip(0.9, 4.1, naturalness=4.31, mos=4.42),
            _clip(8.0, 12.4, naturalness=4.05, mos=4.18),
            _clip(16.0, 20.2, naturalness=4.22, mos=4.36),
            _clip(24.0, 28.0, naturalness=3.94, mos=4.27),
            _clip(31.0, 32.6, naturalness=4.40, mos=None, warnings=("shorter than 2 s",)),
        ],
        word_counts={
            # "the card" heard as "the guard", one "three" missing, "recognise" spelt as "recognize".
            "wer": WordCounts(substitutions=2, deletions=1, insertions=0, reference=32),
            "cer": WordCounts(substitutions=3, deletions=6, insertions=0, reference=150),
            "caller_intelligibility_wer": WordCounts(
                substitutions=0, deletions=0, insertions=0, reference=32
            ),
            "agent_intelligibility_wer": WordCounts(substitutions=1, deletions=0, insertions=0, reference=66),
        },
    )


def interruption_call() -> MadeCall:
    said = [
        Said(
            side="agent",
            start_s=0.8,
            end_s=4.82,
            text="Good morning, I am calling about your delivery. We have several options for you, first",
        ),
        Said(side="caller", start_s=4.5, end_s=6.1, text="Sorry, can I just ask something?", kind="barge_in"),
        Said(
            side="agent", start_s=6.66, end_s=10.44, text="Of course, what would you like to know about the"
        ),
        Said(side="caller", start_s=10.0, end_s=11.4, text="When will it arrive?", kind="barge_in"),
        Said(
            side="agent",
            start_s=11.28,
            end_s=15.69,
            text="It arrives on Tuesday between nine and twelve. If you are not at home then the driver will",
        ),
        Said(side="caller", start_s=15.0, end_s=16.2, text="Tuesday is bad for me.", kind="barge_in"),
        Said(
            side="agent",
            start_s=17.66,
            end_s=21.505,
            text="I see. Then I can offer you Wednesday or Thursday, both in the",
        ),
        Said(side="caller", start_s=21.0, end_s=22.0, text="Thursday, please.", kind="barge_in"),
        Said(
            side="agent",
            start_s=23.0,
            end_s=31.0,
            text="Thursday it is. Please note that our terms of delivery apply, that the driver needs a "
            "signature, and that parcels above thirty kilograms stay at the kerb.",
        ),
        Said(side="caller", start_s=25.0, end_s=26.2, text="Yes, yes, I know that.", kind="barge_in"),
        Said(side="agent", start_s=32.0, end_s=33.6, text="Is there anything else?"),
        Said(side="caller", start_s=33.4, end_s=34.6, text="No, that is all.", kind="barge_in"),
        Said(side="agent", start_s=35.6, end_s=38.4, text="Thank you for your time and have a nice day."),
        Said(side="caller", start_s=37.5, end_s=38.6, text="You too, bye.", kind="barge_in"),
    ]
    barge_in = _barge_in
    return MadeCall(
        id="interruptions",
        title="Delivery date, six barge-ins and a late one",
        duration_s=40.0,
        said=said,
        turns=[
            answered(0, (4.5, 6.1), (6.66, 10.44)),
            answered(1, (10.0, 11.4), (11.28, 15.69)),
            answered(2, (15.0, 16.2), (17.66, 21.505)),
            _unanswered(3, (21.0, 22.0), Status.INDETERMINATE, "the detectors differ by 140 ms"),
        ],
        interruptions=[
            barge_in(0, 4.5, 0.8, outcome="stopped", stop_s=4.82, delay_ms=320.0, within=True),
            barge_in(
                1, 10.0, 6.66, outcome="stopped", stop_s=10.44, delay_ms=440.0, within=True, in_pause=True
            ),
            barge_in(2, 15.0, 11.28, outcome="stopped", stop_s=15.69, delay_ms=690.0, within=False),
            barge_in(3, 21.0, 17.66, outcome="stopped", stop_s=21.505, delay_ms=505.0, within=None),
            barge_in(4, 25.0, 23.0, outcome="not_stopped", censored_ms=6000.0),
            barge_in(5, 33.4, 32.0, outcome="ended_by_itself", stop_s=33.6),
            barge_in(6, 37.5, 35.6, outcome="indeterminate"),
        ],
        clips=[_clip(0.8, 4.82, naturalness=4.1, mos=4.2), _clip(23.0, 31.0, naturalness=3.9, mos=4.0)],
        word_counts={"wer": WordCounts(substitutions=0, deletions=0, insertions=0, reference=30)},
    )


def noisy_call() -> MadeCall:
    said = [
        Said(side="agent", start_s=1.0, end_s=3.5, text="Hello, am I speaking with Mr Zhang Qiang?"),
        Said(
            side="caller",
            start_s=4.0,
            end_s=6.0,
            text="Yes, Zhang Qiang speaking, go ahead.",
            heard="Yes, Jane Kang speaking, go a head.",
            unsure=("Zhang",),
        ),
        Said(side="agent", start_s=7.32, end_s=11.0, text="I am calling about the appointment on Friday."),
        Said(
            side="caller",
            start_s=11.5,
            end_s=13.46,
            text="Could you repeat that? It's loud here.",
            heard="Could you repeat that it's loud here.",
        ),
        Said(side="agent", start_s=14.5, end_s=17.0, text="Your appointment is on Friday at ten."),
    ]
    return MadeCall(
        id="noisy",
        title="Appointment, street noise at 10 dB",
        snr_db=10.0,
        duration_s=18.5,
        status=CallStatus.AGENT_HANGUP,
        detail="the agent closed the connection 1.5 s after its last word",
        said=said,
        turns=[answered(0, (4.0, 6.0), (7.32, 11.0)), answered(1, (11.5, 13.46), (14.5, 17.0))],
        gaps=[
            Gap(side="agent", start_s=9.1, end_s=9.46, packets=18),
            Gap(side="agent", start_s=15.8, end_s=15.9, packets=5),
        ],
        clips=[_clip(7.32, 11.0, naturalness=3.2, mos=2.9)],
        word_counts={"wer": WordCounts(substitutions=3, deletions=0, insertions=1, reference=13)},
    )


def script_tag_call() -> MadeCall:
    return MadeCall(
        id="script-tag",
        title=f"Title with {ATTACK}",
        duration_s=9.0,
        agent_asr=False,
        said=[
            Said(side="agent", start_s=0.5, end_s=3.0, text=f"Hello {ATTACK}"),
            Said(side="caller", start_s=3.4, end_s=4.67, text="What did you say? </script>"),
            Said(side="agent", start_s=5.5, end_s=8.0, text="{{ 7 * 7 }} ${8 * 8} --> ]]> <!--"),
        ],
        turns=[answered(0, (3.4, 4.67), (5.5, 8.0))],
    )


def silent_call() -> MadeCall:
    return MadeCall(
        id="silent-agent",
        title="Agent stops answering",
        status=CallStatus.TIMEOUT,
        detail="the call ran into its limit of 20 s",
        duration_s=20.0,
        said=[
            Said(side="agent", start_s=0.7, end_s=2.0, text="Hello?"),
            Said(side="caller", start_s=2.5, end_s=4.0, text="Hello, can you hear me?"),
        ],
        turns=[_unanswered(0, (2.5, 4.0), Status.NOT_APPLICABLE, "the agent never answered")],
    )


def setup_failed_call() -> MadeCall:
    return MadeCall(
        id="refused",
        title="Nobody there",
        status=CallStatus.SETUP_FAILED,
        detail="http://127.0.0.1:7860/api/offer: connection refused <b>& more</b>",
        duration_s=0.1,
        scored=False,
    )


def faulty_call() -> MadeCall:
    return MadeCall(
        id="late-sender",
        title="Machine too busy",
        status=CallStatus.HARNESS_FAULT,
        detail="pacing p95 was 31.0 ms, the bound is 5.0 ms",
        duration_s=6.0,
        said=[
            Said(side="agent", start_s=0.5, end_s=2.0, text="Hello?"),
            Said(side="caller", start_s=2.5, end_s=3.5, text="Hi there."),
        ],
        # Would move every figure if it were counted.
        turns=[answered(0, (2.5, 3.5), (63.5, 65.0))],
        word_counts={"wer": WordCounts(substitutions=500, deletions=0, insertions=0, reference=500)},
    )


def _clip(start_s: float, end_s: float, **ratings: Any) -> ClipQuality:
    more = {"noisiness": 4.0, "discontinuity": 4.3, "coloration": 3.9, "loudness": 4.1}
    if ratings.get("mos") is None:
        more = {}
    return ClipQuality.model_validate({"start_s": start_s, "end_s": end_s, **more, **ratings})


def _unanswered(index: int, user: tuple[float, float], status: Status, reason: str) -> TurnTiming:
    return TurnTiming(index=index, user_start_s=user[0], user_end_s=user[1], status=status, reason=reason)


def _barge_in(
    index: int,
    start_s: float,
    agent_onset_s: float,
    *,
    outcome: str,
    stop_s: float | None = None,
    delay_ms: float | None = None,
    within: bool | None = None,
    censored_ms: float | None = None,
    in_pause: bool = False,
) -> InterruptionTiming:
    return InterruptionTiming.model_validate(
        {
            "index": index,
            "user_start_s": start_s,
            "agent_onset_s": agent_onset_s,
            "planned_offset_s": round(start_s - agent_onset_s, 3),
            "actual_offset_s": round(start_s - agent_onset_s, 3),
            "agent_stop_s": stop_s,
            "delay_ms": delay_ms,
            "censored_after_ms": censored_ms,
            "outcome": outcome,
            "within_500ms": within,
            "stopped_in_pause": in_pause,
            "basis": "rtvi and timing",
            "reason": "" if outcome == "stopped" else f"the evidence: {outcome}",
            "resolution_ms": 17.0,
        }
    )
