"""``outboundeval agents list|serve``."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.table import Table

from harness.cli.options.shared import AsJson
from harness.cli.screen.console import print_json, stdout
from harness.selfcheck.reference_agents import AGENTS, command_line, find_agent

app = typer.Typer(no_args_is_help=True, help="Reference agents: real ones to try the harness on.")


@app.command("list")
def list_agents(as_json: AsJson = False) -> None:
    """The reference agents that ship with the harness.

    Example: outboundeval agents list
    """
    if as_json:
        print_json(
            {
                "agents": [
                    {"name": a.name, "summary": a.summary, "port": a.default_port} for a in AGENTS.values()
                ]
            }
        )
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "port", "what it is"):
        table.add_column(heading, header_style="dim")
    for agent in AGENTS.values():
        table.add_row(agent.name, str(agent.default_port), agent.summary)
    stdout.print(table)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def serve(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of the agent, see 'agents list'.")],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port to listen on.", min=1, max=65535)] = None,
) -> None:
    """Serve a reference agent until Ctrl-C. Further options go to the agent itself.

    Example: outboundeval agents serve pipecat --port 7860 --card fee_complaint
    """
    agent = find_agent(name)
    port = port if port is not None else agent.default_port
    command = command_line(agent, host=host, port=port, extra=context.args)
    what = "status of the livekit agent" if name == "livekit" else f"{name} agent"
    stdout.print(f"{what} at http://{host}:{port} (Ctrl-C ends it)", highlight=False)
    stdout.file.flush()
    # The agent takes this process's place: signals and exit code are its own.
    os.execv(command[0], command)
