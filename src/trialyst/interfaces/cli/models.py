"""`trialyst models`: the model servers found on this machine, by the names to call them."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

import typer

from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_table
from trialyst.settings import Settings

__all__ = ["add_to", "models"]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples("trialyst models", "trialyst match note.txt --judge rules+ollama:llama3.1")
    )(models)


def models(json: JsonFlag = False) -> None:
    """List the models that servers on this machine offer: Ollama, LM Studio, llama.cpp, vLLM.

    Their usual ports on loopback are asked for a list, and nothing else is sent. None of them is
    ever used unless --judge, --agent or --model names it.
    """
    from trialyst.llm.endpoint import Provider
    from trialyst.llm.local_servers import LOCAL_SERVERS, find_local_models
    from trialyst.transport.probe import probe

    own = Settings.from_environment().llm_url
    addresses = {} if own is None else {Provider.VLLM: own}
    found = asyncio.run(find_local_models(probe, addresses))
    if json:
        show_json({"models": [asdict(each) for each in found]})
        return
    if not found:
        note(f"No server of models answers on this machine ({', '.join(LOCAL_SERVERS.values())}).")
        note("Models of other machines and services are named as docs/guide/models.md tells.")
        return
    rows = [(each.name, each.server, each.url) for each in found]
    show_table(("Name", "Server", "Address"), rows)
    note("Nothing is sent to a model unless you name it: --judge rules+NAME, --agent NAME.")
