"""What DNSMOS and PLCMOS say of a clip; to be read without the networks that say it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What the predictors say of one clip; about 1 (bad) to 5 (excellent). Nothing is clamped.

    Attributes:
        dnsmos_sig, dnsmos_bak, dnsmos_ovrl: Quality of the voice, of what is behind it, and of both
            (ITU-T P.835).
        dnsmos_p808: Overall quality (ITU-T P.808).
        plcmos: How well lost packets are concealed.
    """

    dnsmos_sig: float
    dnsmos_bak: float
    dnsmos_ovrl: float
    dnsmos_p808: float
    plcmos: float
