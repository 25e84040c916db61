"""The nights of a store as a small web site: one page of plans, one of each plan's nights, the pages of runs.

It reads the store and run folders, takes GET alone, and asks nobody who they are: it listens on loopback
unless it is told otherwise. There it answers only to loopback's own names, so that a page of a stranger, open
in the same browser, cannot read it under a name of its own (DNS rebinding).
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from harness._files.self_contained_page import render
from harness.errors import UserError
from harness.redaction import KNOWN
from harness.reports import TEMPLATES
from harness.reports.history import GLANCE, history_page
from harness.reports.serving.run_files import page_of, run_key, sound_of
from harness.runs.database.nights import Night, folders, names, nights
from harness.scoring.history import history, listen_to

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cache-Control": "no-cache",
}
MOST_NAME_CHARS = 300
STORE = web.AppKey("store", str)


def application(store: str, *, loopback_only: bool) -> web.Application:
    """The site of a store.

    Args:
        store: A file, or the address of a database.
        loopback_only: Answer to no other name than loopback's.
    """
    app = web.Application(middlewares=[_guard(loopback_only)], client_max_size=1024)
    app[STORE] = store
    app.router.add_get("/", _plans)
    app.router.add_get("/nights", _nights)
    app.router.add_get("/runs/{run:[0-9a-f]{16}}/report/index.html", _page)
    app.router.add_get("/runs/{run:[0-9a-f]{16}}/calls/{call}/audio.flac", _sound)
    return app


def _guard(loopback_only: bool) -> Middleware:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if loopback_only and _host(request) not in LOOPBACK:
                raise web.HTTPForbidden(text="this answers to 127.0.0.1 and localhost alone\n")
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise
        except UserError as error:
            response = web.Response(status=503, text=f"{KNOWN.scrub(str(error))}\n")
        response.headers.update(HEADERS)
        return response

    return guard


def _host(request: web.Request) -> str:
    named = request.headers.get("Host", "")
    host = named.rpartition(":")[0] if named.rpartition(":")[2].isdigit() else named
    return host.strip("[]").lower()


async def _plans(request: web.Request) -> web.StreamResponse:
    page = await asyncio.to_thread(plans_page, request.app[STORE])
    return web.Response(text=page, content_type="text/html")


async def _nights(request: web.Request) -> web.StreamResponse:
    name = request.query.get("name", "")
    if not 0 < len(name) <= MOST_NAME_CHARS:
        raise web.HTTPNotFound(text="no such plan\n")
    branch = request.query.get("branch", "")[:MOST_NAME_CHARS]
    page = await asyncio.to_thread(nights_page, request.app[STORE], name, branch)
    if page is None:
        raise web.HTTPNotFound(text="no such plan, or no such branch of it\n")
    return web.Response(text=page, content_type="text/html")


async def _page(request: web.Request) -> web.StreamResponse:
    run = await asyncio.to_thread(_run, request.app[STORE], request.match_info["run"])
    return _file(run and page_of(run), "text/html; charset=utf-8")


async def _sound(request: web.Request) -> web.StreamResponse:
    run = await asyncio.to_thread(_run, request.app[STORE], request.match_info["run"])
    return _file(run and sound_of(run, request.match_info["call"]), "audio/flac")


def _file(path: Path | None, content_type: str) -> web.StreamResponse:
    if path is None:
        raise web.HTTPNotFound(text="there is no such page or recording (any more)\n")
    return web.FileResponse(path, headers={"Content-Type": content_type})


def _run(store: str, key: str) -> Path | None:
    """The folder of a run that the store knows; what it does not know is not served."""
    return next((folder for folder in folders(store) if run_key(folder) == key), None)


def plans_page(store: str) -> str:
    """All plans with their last nights.

    Raises:
        UserError: The store cannot be read.
    """
    plans = []
    for name in names(store):
        known = nights(store, name=name)
        glance = [
            {"word": night.word or "none", "told": _told(night), "href": link(night)} for night in known
        ]
        plans.append({"name": name, "count": len(known), "glance": glance[-GLANCE:]})
    return render(
        "plans.html.j2",
        folder=TEMPLATES,
        styles=("page.css", "history.css"),
        scripts=("page.js",),
        plans=plans,
    )


def nights_page(store: str, name: str, branch: str = "") -> str | None:
    """The nights of a plan; None where the store has none.

    Args:
        branch: Of the user's code; empty: any.

    Raises:
        UserError: The store cannot be read.
    """
    known = nights(store, name=name, branch=branch)
    if not known:
        return None
    series = history(known)
    return history_page(
        name,
        known,
        series,
        link=link,
        listen=listen_to(store, known, series),
        branch_link=lambda one: f"?{urlencode({'name': name, 'branch': one})}",
    )


def link(night: Night) -> str:
    """The address of a run's page on this site; of one whose folder has another run by now there is none."""
    if night.replaced:
        return f"/runs/{night.key[:16]}/report/index.html"
    return f"/runs/{run_key(night.folder)}/report/index.html"


def _told(night: Night) -> str:
    return f"{night.started_at[:10]} {night.word}".strip()
