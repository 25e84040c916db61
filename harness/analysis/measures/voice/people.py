"""How the agent's voice sounds to people: the mean opinion score of ITU-T P.800."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count
from harness.analysis.measures.pooling import missing
from harness.analysis.measures.units import MOS
from metrics.listening.opinion import Rating, mean_opinion
from metrics.score import Evidence, Score, Status

MAX_EVIDENCE = 200


class MeanOpinion(Measure):
    """Over the ratings that calls keep; every call rests on the recording that was rated."""

    scores_calls = False

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        given = [
            (call.scores.call_id, one)
            for call in calls
            if call.scores.listening is not None
            for one in call.scores.listening.ratings
        ]
        if not given:
            return missing(self.entry)
        ratings = [
            Rating(rater=one.rater, clip=f"{call_id} {one.start_s} {one.end_s}", value=one.value)
            for call_id, one in given
        ]
        clips: dict[tuple[str, float, float], list[int]] = {}
        for call_id, one in given:
            clips.setdefault((call_id, one.start_s, one.end_s), []).append(one.value)
        evidence = tuple(
            Evidence(call_id=call_id, start_s=start_s, end_s=end_s, value=sum(values) / len(values))
            for (call_id, start_s, end_s), values in list(clips.items())[:MAX_EVIDENCE]
        )
        return opinion_score(ratings).model_copy(update={"evidence": evidence})


def opinion_score(ratings: Sequence[Rating]) -> Score:
    """``mos`` of these ratings, which are not none, with the interval over raters and clips."""
    found = mean_opinion(ratings)
    return Score(
        metric=MOS_BY_PEOPLE.entry.name,
        unit=MOS.name,
        value=found.mean,
        status=Status.MEASURED,
        reason=f"{count(found.raters, 'rater')}, {count(found.clips, 'clip')}",
        n=found.n,
        ci_low=found.interval.low,
        ci_high=found.interval.high,
        interval_method=found.interval.method,
    )


MOS_BY_PEOPLE = MeanOpinion(
    MetricEntry(
        name="mos",
        label="Mean opinion score",
        unit=MOS,
        better="higher",
        definition="People's rating of the agent's voice, ITU-T P.800: the mean over ratings.",
        paper="Table 16",
        needs=(Need.SOUND,),
        when_absent="needs ratings by people",
        counted="rating",
    )
)
