"""Asks `dupfind mcp` with the official client of the Model Context Protocol, in each of its modes."""

import asyncio
import json

from mcp import Client, MCPError, StdioServerParameters
from trial_site import KILN, expect

# Without a handshake, as the server offers it, and with one.
MODES = {"2026-07-28": "2026-07-28", "auto": "2026-07-28", "legacy": "2025-11-25"}


async def talk(site, dupfind, mode, version):
    """Calls every tool, and what goes wrong."""
    server = StdioServerParameters(
        command=str(dupfind), args=["mcp", "docs"], cwd=site.folder
    )
    site.page("docs/copy.md", KILN.replace("fire", "flame"))

    async def found(client, tool, **arguments):
        # The client checks the answer against the schema of the tool.
        result = await client.call_tool(tool, arguments)
        expect(f"{tool} {arguments} {result.content[0].text}", result.is_error, False)
        expect(f"{tool}: a short text", len(result.content[0].text) < 600, True)
        expect(f"{tool}: a short answer", len(json.dumps(result.structured_content)) < 1_700, True)
        return result.structured_content

    async with Client(server, mode=mode) as client:
        expect("version", client.session.protocol_version, version)
        tools = (await client.list_tools()).tools
        expect("tools", len(tools), 5)
        expect("tools that write", [tool.name for tool in tools if not tool.annotations.read_only_hint], [])
        page = await found(client, "check_page", path="copy.md")
        expect("page", page["passages"][0]["page"], "kiln.md")
        draft = await found(client, "check_text", text=KILN, path="kiln.md")
        expect("draft", draft["passages"][0]["page"], "copy.md")
        work = await found(client, "list_duplicates")
        expect("work", sorted(work["entries"][0]["pages"]), ["copy.md", "kiln.md"])
        expect("the rest of it", (await found(client, "list_duplicates", cursor="1"))["entries"], [])
        passage = await found(client, "find_passage", text=KILN.split("\n\n")[1])
        expect("places", sorted(place["page"] for place in passage["places"]), ["copy.md", "kiln.md"])
        expect("verdict", page["passages"][0]["verdict"], "near")
        for arguments in ({}, {"path": "../kiln.md"}, {"path": 5}, {"path": "gone.md"}):
            result = await client.call_tool("check_page", arguments)
            expect(f"{arguments} is a lesson", result.is_error, True)
        try:
            await client.call_tool("no_tool", {})
            expect("an unknown tool", "answered", "refused")
        except MCPError as error:
            expect("an unknown tool", error.code, -32602)
        # What a client no longer waits for ends nothing.
        try:
            async with asyncio.timeout(0.001):
                await client.call_tool("list_duplicates", {})
        except TimeoutError:
            pass
        accept = ("accept", "docs/kiln.md", "docs/copy.md", "docs", "--reason", "two kilns")
        site.run(str(dupfind), *accept, "--baseline", "docs/.dupfind-baseline")
        page = await found(client, "check_page", path="copy.md")
        expect("accepted", (page["passages"], page["accepted"]), ([], 1))
    (site.folder / "docs/.dupfind-baseline").unlink()
    status, printed = site.run("git", "status", "--short", "--untracked-files=all")
    expect(f"git: {printed}", (status, ".dupfind/" in printed), (0, False))


def mcp(site, dupfind):
    """Every mode of the client."""
    for mode, version in MODES.items():
        asyncio.run(talk(site, dupfind, mode, version))
