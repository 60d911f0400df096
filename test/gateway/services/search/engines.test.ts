import { afterEach, describe, expect, it } from "vitest";
import { SearchError } from "../../../../gateway/core/search/search-error.ts";
import { NO_FILTERS, type SearchPlace } from "../../../../gateway/core/search/search-result.ts";
import { KnownSecrets } from "../../../../gateway/lib/known-secrets.ts";
import { searchEngines } from "../../../../gateway/services/search/engines.ts";
import { WebSearch, type WebSearchDeps } from "../../../../gateway/services/search/web-search.ts";
import { ServiceClient } from "../../../../gateway/upstream/service-client.ts";
import { reply, replyBytes, type WireAct } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
afterEach(() => wire.reset());

const KEY = "search-key-0123456789";
const reach = () => ({ allowed: new Set<string>(), ownPort: 1 });
const never = new AbortController().signal;

/** The owner's search as it is with this service and a key, its address that of the test. */
function searchBy(provider: keyof typeof searchEngines, totalMs = 5_000): WebSearch {
  const values: Readonly<Record<string, unknown>> = {
    search_provider: provider,
    search_price_usd: null,
    searxng_url: wire.origin,
  };
  const deps = {
    settings: {
      get: (name: string) => values[name],
      stored: { id: "settings", search_keys: { [provider]: { id: "one", hint: "…" } } },
    },
    store: { secrets: { get: () => KEY, locked: null } },
    client: new ServiceClient(reach, new KnownSecrets(), { totalMs }),
    origins: { [provider]: wire.origin },
    events: { emit: () => undefined },
  };
  return new WebSearch(deps as unknown as WebSearchDeps);
}

const RESULTS = [
  { title: "One & two", url: "https://example.com/1", snippet: "A bold word", age: "2026-11-01" },
  { title: "two.example", url: "https://two.example/", snippet: "", age: null },
];

/** What each service sends, in its own words, for the same two results. */
const SENT = {
  brave: {
    route: "GET /res/v1/web/search",
    body: {
      type: "search",
      query: { original: "towers" },
      web: {
        results: [
          {
            title: "One &amp; two",
            url: "https://example.com/1",
            description: "A <strong>bold</strong> word",
            page_age: "2026-11-01",
          },
          { url: "https://two.example/" },
          { title: "no page", url: "javascript:alert(1)" },
        ],
      },
    },
  },
  tavily: {
    route: "POST /search",
    body: {
      results: [
        {
          title: "One & two",
          url: "https://example.com/1",
          content: "A bold word",
          score: 0.9,
          published_date: "2026-11-01",
        },
        { url: "https://two.example/", content: null },
      ],
    },
  },
  exa: {
    route: "POST /search",
    body: {
      results: [
        {
          title: "One & two",
          url: "https://example.com/1",
          text: "A bold\n word",
          publishedDate: "2026-11-01T00:00:00Z",
        },
        { title: null, url: "https://two.example/" },
      ],
    },
  },
  searxng: {
    route: "GET /search",
    body: {
      results: [
        {
          title: "One & two",
          url: "https://example.com/1",
          content: "A bold word",
          publishedDate: "2026-11-01T00:00:00",
        },
        { url: "https://two.example/" },
        { url: "https://two.example/" },
      ],
    },
  },
} as const;
const ids = Object.keys(SENT) as (keyof typeof SENT)[];

describe.each(ids)("%s", (id) => {
  const { route, body } = SENT[id];
  const search = (filters = NO_FILTERS, place: SearchPlace | null = null) =>
    searchBy(id).search({ text: "towers", filters, place }, never);

  it("is asked with its key and read", async () => {
    wire.on(route, reply(200, body));
    expect(await search()).toEqual(RESULTS);
    const [seen] = wire.seen;
    expect(seen?.query.get("q") ?? (seen?.json as { query: string } | undefined)?.query).toBe("towers");
    const carried = [seen?.headers.authorization, seen?.headers["x-api-key"], seen?.headers["x-subscription-token"]];
    expect(carried.some((value) => String(value).endsWith(KEY))).toBe(id !== "searxng");
    expect(String(seen?.query)).not.toContain(KEY);
  });

  it("shows nothing that the filters leave out", async () => {
    wire.on(route, reply(200, body));
    expect(await search({ allowed: ["example.com"], blocked: [] })).toEqual(RESULTS.slice(0, 1));
    expect(await search({ allowed: [], blocked: ["www.example.com"] })).toEqual(RESULTS.slice(1));
    expect(
      wire.seen.every(({ query, body: sent }) => `${query.get("q")}${sent.toString()}`.includes("example.com")),
    ).toBe(true);
  });

  it("is reported where the person is as far as it knows such words", async () => {
    wire.on(route, reply(200, body));
    await search(NO_FILTERS, { country: "AT", region: null, city: "Graz", timezone: "Europe/Vienna" });
    await search(NO_FILTERS, { country: null, region: null, city: "Graz", timezone: null });
    const [whole, city] = wire.seen.map(({ headers, json, query }) => {
      const located = Object.entries(headers).filter(([name]) => name.startsWith("x-loc-"));
      return { located, body: (json as { userLocation?: string } | undefined)?.userLocation, query: String(query) };
    });
    const brave = [
      ["x-loc-city", "Graz"],
      ["x-loc-country", "AT"],
      ["x-loc-timezone", "Europe/Vienna"],
    ];
    expect(whole?.located).toEqual(id === "brave" ? brave : []);
    expect(city?.located).toEqual(id === "brave" ? brave.slice(0, 1) : []);
    expect([whole?.body, city?.body]).toEqual([id === "exa" ? "AT" : undefined, undefined]);
    expect(whole?.query).not.toContain("AT");
  });

  it.each<[string, WireAct, string, boolean]>([
    ["a refused key", reply(401, { detail: { error: "no such key" } }), "auth", false],
    ["too many searches", reply(429, {}, { "retry-after": "7" }), "rate", false],
    ["an outage", reply(503, {}), "down", true],
    ["a page of a proxy", replyBytes("text/html", "<html>"), "down", true],
    ["another object", reply(200, { ok: true }), "down", true],
    ["a refusal", reply(400, { error: "bad query" }), "refused", false],
    ["a connection that breaks", (_seen, outgoing) => void outgoing.destroy(), "down", true],
  ])("says in words what is wrong: %s", async (_what, act, failure, uncertain) => {
    wire.on(route, act);
    const error = await search().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SearchError);
    expect(error).toMatchObject({ failure, uncertain, message: expect.stringContaining(searchEngines[id].label) });
    expect((error as Error).message).not.toContain(KEY);
  });

  it("is waited for no longer than its time", async () => {
    wire.on(route, () => undefined);
    const search = searchBy(id, 30).search({ text: "towers", filters: NO_FILTERS, place: null }, never);
    await expect(search).rejects.toMatchObject({ failure: "down", message: expect.stringContaining("0.03 s") });
  });

  it("sends no more than a search has", async () => {
    wire.on(route, replyBytes("application/json", Buffer.alloc(5 * 1024 * 1024, " ")));
    await expect(search()).rejects.toMatchObject({ failure: "down" });
  });

  it("ends with who asked", async () => {
    const arrived = Promise.withResolvers<void>();
    wire.on(route, () => arrived.resolve());
    const ended = new AbortController();
    const search = searchBy(id).search({ text: "towers", filters: NO_FILTERS, place: null }, ended.signal);
    await arrived.promise;
    ended.abort();
    await expect(search).rejects.toMatchObject({ failure: "down" });
  });
});

it.each([
  ["brave", "GET /res/v1/web/search", 422, "auth"],
  ["tavily", "POST /search", 432, "credit"],
  ["tavily", "POST /search", 433, "credit"],
  ["exa", "POST /search", 402, "credit"],
  ["searxng", "GET /search", 403, "refused"],
] as const)("%s means by %s %i: %s", async (id, route, status, failure) => {
  wire.on(route, reply(status, {}));
  const search = searchBy(id).search({ text: "towers", filters: NO_FILTERS, place: null }, never);
  await expect(search).rejects.toMatchObject({ failure });
});

it("finds nothing where Brave sends no part for the web", async () => {
  wire.on(SENT.brave.route, reply(200, { type: "search", query: { original: "x" } }));
  expect(await searchBy("brave").search({ text: "x", filters: NO_FILTERS, place: null }, never)).toEqual([]);
});

describe("the checked door", () => {
  const call = { method: "GET", headers: {}, body: null } as const;
  const client = new ServiceClient(reach, new KnownSecrets());

  it.each([
    "http://10.0.0.5:8080/search",
    "http://searx.example.com/search",
    "https://192.168.1.2/search",
    "http://169.254.169.254/latest",
    "http://127.0.0.1:1/search",
    "https://user:pass@example.com/search",
    "ftp://example.com/",
  ])("does not lead to %s", async (url) => {
    await expect(client.ask({ ...call, url }, never)).rejects.toMatchObject({ kind: "refused", sent: false });
  });

  it("leads to an allowed target of a private network", async () => {
    const resolve = (
      _host: string,
      _options: unknown,
      done: (error: null, found: { address: string; family: number }[]) => void,
    ) => done(null, [{ address: "127.0.0.1", family: 4 }]);
    const port = new URL(wire.origin).port;
    const allowed = () => ({ allowed: new Set([`searx.local:${port}`]), ownPort: 1 });
    wire.on("GET /search", reply(200, { results: [] }));
    const open = new ServiceClient(allowed, new KnownSecrets(), { resolve });
    const url = `http://searx.local:${port}/search`;
    expect((await open.ask({ ...call, url }, never)).status).toBe(200);
    const closed = new ServiceClient(reach, new KnownSecrets(), { resolve });
    await expect(closed.ask({ ...call, url }, never)).rejects.toMatchObject({ kind: "refused" });
  });

  it("follows no redirect", async () => {
    wire.on("GET /search", reply(302, {}, { location: "http://127.0.0.1:1/" }));
    expect((await client.ask({ ...call, url: `${wire.origin}/search` }, never)).status).toBe(302);
  });
});
