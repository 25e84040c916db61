"""Which component of a Gradio page takes an offer."""

from __future__ import annotations

from typing import Any

import pytest

from harness.transports.offers.gradio import door_of

PAGE: dict[str, Any] = {
    "api_prefix": "/gradio_api",
    "components": [{"id": 1, "type": "html"}, {"id": 23, "type": "webrtc"}, {"id": 24, "type": "webrtc"}],
}


def test_the_first_webrtc_component_takes_it() -> None:
    door = door_of(PAGE, "/gradio")
    assert door is not None
    assert door.path == "/gradio/gradio_api/component_server"
    assert door.body({"sdp": "v=0"}, "hash") == {
        "data": {"sdp": "v=0"},
        "component_id": 23,
        "fn_name": "offer",
        "session_hash": "hash",
    }


@pytest.mark.parametrize(
    "page",
    [
        None,
        [],
        {},
        {"components": "many"},
        {"components": [None, 5, {"type": "webrtc"}, {"id": "x", "type": "webrtc"}]},
        PAGE | {"api_prefix": "//other.example"[1:] + "?x="},
        PAGE | {"api_prefix": 5},
        PAGE | {"api_prefix": "no-slash"},
    ],
)
def test_what_is_no_such_page_has_no_door(page: Any) -> None:
    assert door_of(page, "") is None
