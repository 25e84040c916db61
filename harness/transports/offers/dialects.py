"""What may come over a data channel, by its name in a profile."""

from __future__ import annotations

from collections.abc import Callable

from harness.plans.reach.offer import Says
from harness.transports.offers.fastrtc_messages import FastRTCMessages
from harness.transports.offers.inbox import Dialect, Silent
from harness.transports.offers.openai_events import OpenAIEvents

DIALECTS: dict[Says, Callable[[], Dialect]] = {
    "openai": OpenAIEvents,
    "fastrtc": FastRTCMessages,
    "nothing": Silent,
}
