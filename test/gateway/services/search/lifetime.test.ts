import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SearchView } from "../../../../gateway/contract/search.ts";
import { KEY, startGateway, until } from "../../../support/running-gateway.ts";
import {
  CHAT_ROUTE,
  FOREIGN,
  found,
  says,
  searchCall,
  useSearchWorld,
  streams,
} from "../../../support/search-world.ts";

const world = useSearchWorld(0.001);

const ASKED = {
  model: FOREIGN,
  max_tokens: 64,
  tools: [{ type: "web_search_20250305", name: "web_search" }],
  messages: [{ role: "user", content: "How tall is the tower?" }],
};

it.each([true, false])("ends with the client that leaves during a search (stream: %s)", async (stream) => {
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  world.wire.on(CHAT_ROUTE, (stream ? streams : says)("Let me look.", searchCall("c", "tower")));
  world.searx.on("GET /search", (_seen, outgoing) => {
    outgoing.on("close", () => left.resolve());
    started.resolve();
  });
  const client = new AbortController();
  const call = fetch(`${world.postern.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ ...ASKED, stream }),
    signal: client.signal,
  }).then((response) => response.text());
  call.catch(() => undefined);
  await started.promise;
  client.abort();
  await expect(call).rejects.toThrow("aborted");
  await left.promise;
  await until(async () => (await world.postern.receipt()).endpoint === "search");
  // It may have been made, and is charged.
  expect(await world.postern.receipt()).toMatchObject({ outcome: "unknown", estimated: true, nano: 1_000_000 });
  expect(world.wire.seen).toHaveLength(1);
});

it("keeps a key over a restart, encrypted and unseen, for its own service alone", async () => {
  const key = "BSA-a-key-of-the-test-x7Qd";
  const logged: string[] = [];
  const first = await startGateway({ logged });
  await first.ask("PATCH", "/settings", { search_provider: "brave" });
  expect((await first.ask<SearchView>("GET", "/search")).problem).toMatch(/Brave Search needs a key/);
  const view = await first.ask<SearchView>("POST", "/search/key", { provider: "brave", key });
  expect(view).toMatchObject({ provider: "brave", problem: null, price_usd: 0.005 });
  expect(view.key_hint).toMatch(/x7Qd$/);
  await first.stop();
  const second = await startGateway({ dataDir: first.dataDir, logged });
  try {
    expect(await second.ask<SearchView>("GET", "/search")).toEqual(view);
    await second.ask("PATCH", "/settings", { search_provider: "tavily" });
    expect((await second.ask<SearchView>("GET", "/search")).problem).toMatch(/Tavily needs a key/);
    const files = await readdir(second.dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      expect((await readFile(join(file.parentPath, file.name))).includes(key), file.name).toBe(false);
    }
    expect(JSON.stringify(await second.ask("GET", "/settings"))).not.toContain("BSA");
    expect(logged.join("\n")).not.toContain(key);
    const gone = await second.ask<SearchView>("POST", "/search/key", { provider: "brave", key: null });
    expect(gone.key_hint).toBeNull();
  } finally {
    await second.close();
  }
});

it("takes the key out of what a provider says", async () => {
  const key = "tvly-a-key-of-the-test-99";
  await world.postern.ask("POST", "/search/key", { provider: "tavily", key });
  world.wire.on(CHAT_ROUTE, says(`I was told ${key}.`));
  const answer = await world.postern.post("/chat/completions", { model: FOREIGN, messages: ASKED.messages });
  expect(await answer.text()).not.toContain(key);
});

it("is shown in the list of requests, each turn and search by its own id", async () => {
  world.wire.on(CHAT_ROUTE, says("", searchCall("c", "tower")), says("300 m."));
  world.searx.on("GET /search", found(["The tower", "https://example.com/", "300 m"]));
  const answer = await world.postern.post("/messages", ASKED);
  const id = answer.headers.get("x-request-id");
  for (const suffix of ["", "-s1", "-2"]) {
    const request = await world.postern.ask<{ receipt: { id: string } }>("GET", `/requests/${id}${suffix}`);
    expect(request.receipt.id).toBe(`${id}${suffix}`);
  }
});
