import { beforeEach, describe, expect, it } from "vitest";
import { START_TOKEN_LIFE_MS, Sessions } from "../../../../gateway/http/control/sessions.ts";
import { instanceProof, tokenDigest } from "../../../../gateway/store/disk/instance.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FILE_TOKEN = "token-of-the-folder";

let passed: number;
let sessions: Sessions;
beforeEach(() => {
  passed = 0;
  const clock = { now: () => 0, monotonic: () => passed };
  sessions = new Sessions(clock, FILE_TOKEN, () => "http://127.0.0.1:6174");
});

const opens = (token: string): Promise<boolean> =>
  sessions.open(token).then(
    () => true,
    () => false,
  );
const isGood = (bearer: string): Promise<boolean> =>
  sessions.check(`Bearer ${bearer}`).then(
    () => true,
    () => false,
  );

describe("a page token that no one has used", () => {
  it.each<[string, () => string, number, boolean]>([
    ["somebody asked for", () => sessions.issuePageToken(), 10 * MINUTE, true],
    ["somebody asked for", () => sessions.issuePageToken(), 10 * MINUTE + 1, false],
    ["the start has printed", () => sessions.issuePageToken(START_TOKEN_LIFE_MS), 12 * HOUR, true],
    ["the start has printed", () => sessions.issuePageToken(START_TOKEN_LIFE_MS), 12 * HOUR + 1, false],
  ])("and that %s is good after %i ms: %s", async (_name, issue, ms, good) => {
    const token = issue();
    passed += ms;
    expect(await opens(token)).toBe(good);
  });
});

describe("a bearer", () => {
  it("goes on for as long as its page asks now and then", async () => {
    const bearer = await sessions.open(sessions.issuePageToken());
    for (let days = 0; days < 60; days += 6) {
      passed += 6 * DAY;
      expect(await isGood(bearer)).toBe(true);
    }
  });

  it("ends when its page was left for a week, for good", async () => {
    const bearer = await sessions.open(sessions.issuePageToken());
    passed += 7 * DAY + 1;
    expect(await isGood(bearer)).toBe(false);
    expect(await isGood(bearer)).toBe(false);
  });

  it("goes on after a page has listened to events for weeks", async () => {
    const bearer = await sessions.open(sessions.issuePageToken());
    passed += 20 * DAY;
    sessions.touch(`Bearer ${bearer}`);
    expect(await isGood(bearer)).toBe(true);
    sessions.touch("Bearer of-nobody");
    expect(await isGood("of-nobody")).toBe(false);
  });

  it("that is in use is not pushed out by a thousand new ones", async () => {
    const bearer = await sessions.open(sessions.issuePageToken());
    for (let other = 0; other < 1_500; other += 1) {
      await sessions.open(sessions.issuePageToken());
      if (other % 100 === 0) expect(await isGood(bearer)).toBe(true);
    }
    expect(await isGood(bearer)).toBe(true);
  });
});

describe("a proof", () => {
  it("is what a holder of the folder's token expects for this address and nonce, and for no other", () => {
    const proof = sessions.prove("nonce-1");
    const digest = tokenDigest(FILE_TOKEN);
    expect(proof).toBe(instanceProof(digest, "http://127.0.0.1:6174", "nonce-1"));
    expect(proof).not.toBe(instanceProof(digest, "http://127.0.0.1:6174", "nonce-2"));
    expect(proof).not.toBe(instanceProof(digest, "http://127.0.0.1:6175", "nonce-1"));
    expect(proof).not.toBe(instanceProof(tokenDigest("another"), "http://127.0.0.1:6174", "nonce-1"));
    expect(proof).not.toContain(FILE_TOKEN);
  });
});
