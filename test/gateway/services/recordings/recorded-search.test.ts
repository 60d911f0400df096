import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RequestActivity, RequestPage } from "../../../../gateway/contract/requests.ts";
import { RecordedSearch } from "../../../../gateway/services/recordings/recorded-search.ts";
import { RecordingLog } from "../../../../gateway/store/recording-log.ts";
import { completion, stream, streamFrames } from "../../../support/acts.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, startGateway, temporaryFolder, type TestGateway } from "../../../support/running-gateway.ts";
import { FixedClock, NOON } from "../../store/fixtures.ts";

const BOUND = 1024 * 1024 * 1024;
const lack = { bytes: 0, cut: false, redacted: false, omitted: 0 };
const recorded = (id: string, text: string): string =>
  JSON.stringify({
    id,
    at: NOON,
    path: "/v1/chat/completions",
    headers: {},
    request: { ...lack, text, form: false },
    status: null,
    response: null,
  });

describe("a search of the recordings", () => {
  let log: RecordingLog;
  let reads: number[];
  let search: RecordedSearch;
  const counted = {
    segments: () => log.segments(),
    read: (...args: Parameters<RecordingLog["read"]>) => {
      reads.push(args[0]);
      return log.read(...args);
    },
  };
  beforeEach(async () => {
    log = new RecordingLog({ dir: await temporaryFolder(), hasRoom: () => Promise.resolve(true), segmentBytes: 1_000 });
    reads = [];
    search = new RecordedSearch(counted, new FixedClock());
    // Four to a segment.
    for (let n = 0; n < 20; n += 1) {
      await log.add(recorded(`req_${n}`, n % 5 === 0 ? "a Lighthouse" : "the sea"), NOON + n, BOUND);
    }
  });
  afterEach(() => log.close());

  test("finds all in any case, and reads nothing twice", async () => {
    const { ids, from } = await search.find("LIGHT", BOUND);
    expect([...ids].toSorted()).toEqual(["req_0", "req_10", "req_15", "req_5"]);
    expect(from).toBe(-Infinity);
    const before = reads.length;
    expect((await search.find("light", BOUND)).ids.size).toBe(4);
    expect(reads).toHaveLength(before);
  });

  test("within bounds begins with the newest, says how far it came, and goes on from there", async () => {
    const starts = (await log.segments()).map(({ start }) => start);
    expect(starts.length).toBeGreaterThan(3);
    const first = await search.find("light", 1);
    expect(first.from).toBe(starts.at(-1));
    const second = await search.find("light", 1);
    expect(second.from).toBe(starts.at(-2));
    let last = second;
    while (last.from > -Infinity) last = await search.find("light", 1);
    expect(last.ids.size).toBe(4);
    expect(reads.toSorted((a, b) => a - b)).toEqual(starts);
  });

  test("what is recorded later is found, and what is deleted is not", async () => {
    await search.find("light", BOUND);
    await log.add(recorded("req_new", "lighthouse"), NOON + 30, BOUND);
    expect((await search.find("light", BOUND)).ids.has("req_new")).toBe(true);
    await log.clear();
    expect(await search.find("light", BOUND)).toEqual({ ids: new Set(), from: -Infinity });
  });
});

describe("the request log", () => {
  let provider: MockProvider;
  let postern: TestGateway;
  const ids: string[] = [];
  const say = (content: string) => ({ ...CHAT, messages: [{ role: "user", content }] });

  async function call(body: object): Promise<void> {
    const response = await postern.chat(body);
    await response.arrayBuffer();
    ids.push(response.headers.get("x-request-id") ?? "");
  }
  beforeAll(async () => {
    provider = await startProvider();
    postern = await startGateway({ provider });
    await call(say("never recorded: a Zeppelin"));
    await postern.ask("PATCH", "/settings", { record_bodies: true });
    await call(say("Tell me of the Lighthouse"));
    provider.next(completion('It stands on a "rock".'));
    await call(say("and where?"));
    provider.next(stream(streamFrames(["in the ", "Mo", "rning", " light"])));
    await call({ ...say("and when?"), stream: true });
    await postern.ask("PATCH", "/settings", { record_bodies: false });
    await call(say("not recorded either: a Lighthouse"));
  });
  afterAll(async () => {
    await postern.close();
    await provider.close();
  });

  async function found(query: string): Promise<number[]> {
    const places: number[] = [];
    let before = "";
    for (;;) {
      const page = await postern.ask<RequestPage>("GET", `/requests?${query}&limit=1${before}`);
      places.push(...page.data.map(({ id }) => ids.indexOf(id)));
      if (page.cursor === null) return places;
      before = `&before=${page.cursor}`;
    }
  }

  test.each([
    ["a request", "of%20the%20LIGHTHOUSE", [1]],
    ["a whole response", "%22Rock%22", [2]],
    ["a stream, across its events", "in%20the%20morning", [3]],
    ["several, newest first", "user", [3, 2, 1]],
    ["what was not recorded", "zeppelin", []],
    ["what all receipts have", "gpt-4.1", [4, 3, 2, 1, 0]],
  ])("finds the text of %s", async (_name, q, places) => {
    expect(await found(`q=${q}`)).toEqual(places);
  });

  test("next to other filters, and in what is sorted and counted", async () => {
    expect(await found("q=lighthouse&status=5xx")).toEqual([]);
    const top = await postern.ask<RequestPage>("GET", "/requests?by=ms&q=LIGHTHOUSE");
    expect(top.data.map(({ id }) => ids.indexOf(id))).toEqual([1]);
    expect(top.complete).toBe(true);
    expect((await postern.ask<RequestActivity>("GET", "/requests/activity?q=user")).total).toBe(3);
  });
});
