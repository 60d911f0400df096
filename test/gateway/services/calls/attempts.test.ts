import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallResult, May } from "../../../../gateway/core/attempts/breaker.ts";
import { Attempts, ClientCancelled, hasAvailableCandidate } from "../../../../gateway/services/calls/attempts.ts";
import type { AttemptDeps, Opened, Persistence } from "../../../../gateway/services/calls/attempts.ts";
import { makeConnection, type ConnectionInput } from "../../../../gateway/services/connections/connection.ts";
import type { Candidate } from "../../../../gateway/services/models/served-model.ts";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";
import { UpstreamFailure } from "../../../../gateway/upstream/failure.ts";
import { providers } from "../../../../gateway/providers/registry.ts";

/** What one request comes to: an error status with its headers, or a failure before any response. */
type Outcome = Error | { readonly status: number; readonly headers?: Record<string, string>; body?: string };

const OK: Outcome = { status: 200 };
const createFailure = (status: number, headers = {}): Outcome => ({
  status,
  headers,
  body: '{"error":{"message":"m"}}',
});
const refused = new UpstreamFailure("refused", false, "ECONNREFUSED");
const broken = new UpstreamFailure("broken", true, "ECONNRESET");
const unsent = new UpstreamFailure("head_timeout", false, "too slow");

function createCandidate(name: string, keys = 1, change: Partial<ConnectionInput> = {}): Candidate {
  const credentials = Array.from({ length: keys }, (_, index) => ({ secret: `${name}-secret-${index}`, hint: "h" }));
  const connection = makeConnection({
    id: name,
    provider: providers.openai,
    name,
    baseUrl: "https://models.example.com/v1",
    priority: 0,
    enabled: true,
    from: "created",
    createdAt: 0,
    credentials,
    ...change,
  });
  return { connection, upstreamModel: "m", price: null };
}

let now = 0;
let outcomes: Outcome[] = [];
/** The keys that were asked, the waits before retries, and what the follower was given. */
let requests: (string | null)[] = [];
let waits: number[] = [];
let followed: string[] = [];
let changes = 0;
let leaving = new AbortController();
let stopping = new AbortController();
let whileWaiting: () => void = () => {};
let aborts = 0;

beforeEach(() => {
  [now, outcomes, requests, waits, followed, changes, aborts] = [0, [], [], [], [], 0, 0];
  [leaving, stopping, whileWaiting] = [new AbortController(), new AbortController(), () => {}];
});

function openExchange(): ReturnType<AttemptDeps["providerClient"]["open"]> {
  const outcome = outcomes.shift() ?? OK;
  const response =
    outcome instanceof Error
      ? Promise.reject(outcome)
      : Promise.resolve({
          headers: {},
          connectMs: 7,
          collect: () => Promise.resolve(Buffer.from(outcome.body ?? "{}")),
          abort: () => undefined,
          ...outcome,
        });
  return { response, abort: () => (aborts += 1) } as unknown as ReturnType<AttemptDeps["providerClient"]["open"]>;
}

type How = Partial<Persistence> & { readonly isUnsafe?: boolean };

function createAttempts(candidates: readonly Candidate[], how?: How): Attempts {
  const { isUnsafe = false, ...persistence } = how ?? {};
  const deps = {
    providerClient: { open: openExchange },
    clock: { now: () => now, monotonic: () => now },
    random: () => 0.5,
    wait: (ms: number) => Promise.resolve(void waits.push(ms)).then(() => whileWaiting()),
    stopping: stopping.signal,
    healthChanged: () => (changes += 1),
  };
  return new Attempts(
    deps,
    candidates,
    new LocalRecipient(leaving.signal),
    ({ credential }) => (requests.push(credential.secret), {}) as never,
    {
      isUnsafe,
      noteStart: (ms) => void followed.push(`begun ${ms}`),
      addUnobserved: ({ connection }) => void followed.push(`unseen ${connection.id}`),
      noteResponse: ({ connection }) => void followed.push(`answered ${connection.id}`),
    },
    how === undefined ? undefined : { repeats: "safe", asksRefused: false, ...persistence },
  );
}
const report = ({ connection }: Candidate, result: CallResult, model = "m", times = 1): void => {
  for (let time = 0; time < times; time += 1) connection.credentials[0]?.health.report(model, result, now);
};
const readPermission = ({ connection }: Candidate, model = "m"): May | undefined =>
  connection.credentials[0]?.health.mayCall(model, now);
const FAILED: CallResult = { kind: "failed", scope: "model", reason: "it broke" };
const REFUSED: CallResult = { kind: "refused", reason: "401" };
const COOLING: CallResult = { kind: "rate", scope: "key", retryAfterMs: 60_000, reason: "429" };

describe("who is asked", () => {
  it("is the first key that does best: as usual, then cooling, then failing", async () => {
    const [cooling, failed, well] = [createCandidate("cooling"), createCandidate("failed"), createCandidate("well")];
    const locked = createCandidate("locked", 1, { credentials: [{ secret: "s", hint: "h", locked: true }] });
    report(failed, FAILED, "m", 5);
    report(cooling, COOLING);
    const none = createCandidate("none");
    report(none, REFUSED);
    for (const [candidates, id] of [
      [[none, failed], "failed"],
      [[none, cooling], "cooling"],
      [[locked, failed, cooling, well], "well"],
      [[locked, failed, cooling], "cooling"],
      [[locked, failed], "failed"],
    ] as const)
      expect((await createAttempts(candidates, { asksRefused: true }).next()).candidate.connection.id).toBe(id);
  });

  it("is the first of two that do equally badly", async () => {
    for (const result of [COOLING, FAILED, REFUSED]) {
      const both = [createCandidate("first"), createCandidate("second")];
      for (const one of both) report(one, result, "m", 5);
      expect((await createAttempts(both, { asksRefused: true }).next()).candidate).toBe(both[0]);
    }
  });

  it("is empty where all keys are refused, unless refused keys are asked too", async () => {
    const [one, other] = [createCandidate("A"), createCandidate("B", 1, { credentials: [] })];
    for (const each of [one, other]) report(each, REFUSED);
    const locked = createCandidate("C", 1, { credentials: [{ secret: "s", hint: "h", locked: true }] });
    report(locked, { kind: "out_of_credit", reason: "402" });
    const error = createAttempts([one, one, other, locked]).next();
    await expect(error).rejects.toMatchObject({ code: "vendor_auth", details: { retryAfter: 1 } });
    await expect(error).rejects.toThrow(/^A refuses [^.]+\. [^.]+\. B refuses [^.]+\. [^.]+\.$/);
    await expect(createAttempts([locked]).next()).rejects.toThrow("The keys of C cannot be opened");
    expect(requests).toEqual([]);
    expect((await createAttempts([one], { asksRefused: true }).next()).candidate).toBe(one);
  });

  it("is known before a call is made", () => {
    const [well, failed, locked] = [
      createCandidate("well"),
      createCandidate("failed"),
      createCandidate("locked", 1, { credentials: [{ secret: "s", hint: "h", locked: true }] }),
    ];
    report(failed, FAILED, "m", 5);
    expect(hasAvailableCandidate([locked, failed, well], now)).toBe(true);
    expect(hasAvailableCandidate([locked, failed], now)).toBe(false);
    expect(hasAvailableCandidate([locked, failed], now + 5_000)).toBe(true);
    const other = createCandidate("other", 2);
    report(other, COOLING);
    expect(hasAvailableCandidate([other], now)).toBe(true);
  });

  it("is one call at a time where a probe is due, which ends when the client leaves", async () => {
    const one = createCandidate("A");
    report(one, FAILED, "m", 5);
    now = 5_000;
    const opened = await createAttempts([one]).next();
    expect(readPermission(one)).toBe("open");
    expect(() => createAttempts([one]).abandon(opened)).toThrow(ClientCancelled);
    expect([readPermission(one), followed]).toEqual(["probe", ["begun 7", "unseen A"]]);
  });
});

describe("what is done after a failure", () => {
  const slow = createFailure(429, { "retry-after": "2" });
  const long = createFailure(429, { "retry-after": "61" });
  const second = createFailure(429, { "retry-after": "0.875" });
  const others = { repeats: "others" } as const;
  const unsafe = { isUnsafe: true };

  it.each<[string, string, How, (number | Outcome)[], string, readonly number[]]>([
    ["another key is asked", "AB", {}, [500], "AB", []],
    ["the same one is asked again after a wait", "A", {}, [500], "AA", [125]],
    ["it is asked again twice", "A", {}, [500, 500, 500], "AAA 502", [125, 250]],
    ["a wait that is asked for is obeyed", "A", {}, [slow], "AA", [2_125]],
    ["a wait of over a minute is not", "A", {}, [long], "A 429", []],
    ["a refused key is not asked again", "A", {}, [401], "A 502", []],
    ["a refused key leads to another", "AB", {}, [401], "AB", []],
    ["a redirect is told", "AB", {}, [300], "A 502", []],
    ["a bad request is told", "AB", {}, [400], "A 400", []],
    ["a request that was not sent is sent again", "A", {}, [unsent], "AA", [125]],
    ["a request that was sent is not", "AB", {}, [broken], "A 502", []],
    ["never: nobody is asked after a failure", "AB", { repeats: "never" }, [500], "A 502", []],
    ["never: another key is asked after a refusal", "AB", { repeats: "never" }, [401], "AB", []],
    ["others: another key is asked", "AB", others, [500], "AB", []],
    ["others: the same one is not asked", "A", others, [500], "A 502", []],
    ["unsafe: a request without a response is not sent again", "A", unsafe, [broken], "A 502", []],
    [
      "unsafe: an error that may come after its start is told, also where another key is",
      "AB",
      unsafe,
      [500],
      "A 502",
      [],
    ],
    ["unsafe: an error before it is waited for", "A", unsafe, [slow], "AA", [2_125]],
    ["unsafe: a request that was not sent is sent again", "A", unsafe, [unsent], "AA", [125]],
    ["briefly: a short wait is waited", "A", { repeats: "briefly" }, [500], "AA", [125]],
    ["briefly: a long one is not", "A", { repeats: "briefly" }, [slow], "A 429", []],
    ["briefly: one of a second is", "A", { repeats: "briefly" }, [second], "AA", [1_000]],
  ])("%s", async (_what, names, persistence, script, expected, waited) => {
    outcomes = script.map((outcome) => (typeof outcome === "number" ? createFailure(outcome) : outcome));
    const attempts = createAttempts(
      names.split("").map((name) => createCandidate(name)),
      persistence,
    );
    const ended = await attempts.next().then(
      () => "",
      (error: { status: number }) => ` ${error.status}`,
    );
    expect(requests.map((secret) => secret?.[0]).join("") + ended).toBe(expected);
    expect(waits).toEqual(waited);
  });

  it("asks at most 20 times along a list of refused keys", async () => {
    outcomes = Array.from({ length: 30 }, () => createFailure(401));
    await expect(createAttempts([createCandidate("A", 30)]).next()).rejects.toMatchObject({ code: "vendor_auth" });
    expect(requests).toHaveLength(20);
    const many = createCandidate("B", 20);
    outcomes = Array.from({ length: 19 }, () => createFailure(401));
    expect((await createAttempts([many]).next()).credential).toBe(many.connection.credentials[19]);
  });

  it.each([
    ["its client left", () => leaving.abort(), ClientCancelled],
    ["Postern stops", () => stopping.abort(), /Postern is stopping/],
  ])("sends nothing after a wait in which %s", async (_what, act, error) => {
    outcomes = [createFailure(500)];
    whileWaiting = act;
    await expect(createAttempts([createCandidate("A")]).next()).rejects.toThrow(error);
    expect([requests.length, waits]).toEqual([1, [125]]);
  });

  it("sends nothing for a client that left before, and ends what is under way when it leaves", async () => {
    const client = new LocalRecipient(leaving.signal);
    const attempts = createAttempts([createCandidate("A")]);
    expect(client.cancelled).toBe(false);
    outcomes = [broken];
    const ended = attempts.next();
    leaving.abort();
    await expect(ended).rejects.toThrow(ClientCancelled);
    expect([aborts, followed]).toEqual([1, ["unseen A"]]);
    await expect(attempts.next()).rejects.toThrow(ClientCancelled);
    expect([requests.length, aborts]).toEqual([1, 1]);
  });

  it("lets go of the client with each response", async () => {
    await createAttempts([createCandidate("A")]).next();
    leaving.abort();
    expect(aborts).toBe(0);
  });

  it("throws what is no failure of a transfer as it is", async () => {
    outcomes = [new RangeError("a mistake of ours")];
    await expect(createAttempts([createCandidate("A")]).next()).rejects.toThrow(RangeError);
  });
});

describe("what a failure says of a provider", () => {
  const createOne = (): Candidate => createCandidate("A");
  const limited = createFailure(429, { "retry-after": "90" });

  it.each<[string, Outcome, May, May, string[]]>([
    ["a refused connection is the key's", refused, "open", "open", []],
    ["a broken one is the model's", broken, "open", "yes", ["unseen A"]],
    ["an error of the server is the model's", createFailure(500), "open", "yes", ["begun 7"]],
    ["a refused key is the key's", createFailure(401), "no", "no", ["begun 7"]],
    ["an empty account is the key's", createFailure(402), "no", "no", ["begun 7"]],
    ["a 429 is the model's, by the provider's word", limited, "last", "yes", ["begun 7"]],
    ["a bad request is nobody's", createFailure(400), "yes", "yes", ["begun 7"]],
    ["an end that we made is nobody's", new UpstreamFailure("aborted", true, "x"), "yes", "yes", ["unseen A"]],
  ])("%s", async (_what, outcome, own, others, reports) => {
    const candidate = createOne();
    for (let call = 0; call < 5; call += 1) {
      outcomes = [outcome];
      followed = [];
      await expect(createAttempts([candidate], { repeats: "never", asksRefused: true }).next()).rejects.toThrow(Error);
    }
    expect([readPermission(candidate), readPermission(candidate, "another"), followed]).toEqual([own, others, reports]);
    expect(candidate.connection.credentials[0]?.health.whole.unreachable).toBe(outcome === refused);
    // A key that fails is shown from its first failure on.
    expect(changes).toBe(own === "yes" ? 0 : outcome === refused ? 2 : 1);
  });

  it("takes a 429 of a provider with one limit for the key's", async () => {
    const candidate = createCandidate("A", 1, { provider: providers["openai-compatible"] });
    outcomes = [limited];
    await expect(createAttempts([candidate]).next()).rejects.toMatchObject({ status: 429 });
    expect(readPermission(candidate, "another")).toBe("last");
    now = 89_999;
    expect(readPermission(candidate)).toBe("last");
    now = 90_000;
    expect(readPermission(candidate)).toBe("yes");
  });

  it("says nothing of the sandbox", async () => {
    const candidate = createCandidate("A", 1, { from: "sandbox" });
    report(candidate, FAILED, "m", 4);
    outcomes = [createFailure(500)];
    await expect(createAttempts([candidate], { repeats: "never" }).next()).rejects.toThrow(Error);
    expect([readPermission(candidate), changes]).toEqual(["yes", 0]);
  });

  it.each<[string, () => void, UpstreamFailure]>([
    ["the client left", () => leaving.abort(), broken],
    ["Postern ended it", () => undefined, new UpstreamFailure("aborted", true, "x")],
  ])("is nothing where %s, and a probe ends with it", async (_what, act, failure) => {
    const candidate = createOne();
    report(candidate, FAILED, "m", 5);
    now = 5_000;
    outcomes = [failure];
    const ended = createAttempts([candidate]).next();
    act();
    await expect(ended).rejects.toThrow(Error);
    expect(readPermission(candidate)).toBe("probe");
  });

  const error = { kind: "overload", status: 500, message: "m", type: null, code: null, param: null, retryAfter: null };
  it.each<[string, (attempts: Attempts, opened: Opened) => unknown, May, string[]]>([
    ["a good response", (attempts, opened) => attempts.acceptResponse(opened), "yes", ["answered A"]],
    ["nonsense", (attempts, opened) => attempts.rejectNonsense(opened, new Error("x") as never), "probe", ["unseen A"]],
    ["a response that breaks off", (attempts, opened) => attempts.rejectBroken(opened, broken), "open", ["unseen A"]],
    ["a breakdown", (attempts, opened) => attempts.reject(opened, error as never), "open", ["unseen A"]],
    [
      "a refusal in a response",
      (attempts, opened) => attempts.reject(opened, { ...error, kind: "bad_request", status: 400 } as never),
      "probe",
      [],
    ],
  ])("after %s is reported once it is known", async (_what, end, then, reports) => {
    const candidate = createOne();
    report(candidate, FAILED, "m", 5);
    now = 5_000;
    const attempts = createAttempts([candidate], { repeats: "never" });
    const opened = await attempts.next();
    await Promise.resolve()
      .then(() => end(attempts, opened))
      .catch((thrown: unknown) => expect(thrown).toBeInstanceOf(Error));
    expect([readPermission(candidate), followed]).toEqual([then, ["begun 7", ...reports]]);
  });

  it("keeps the key out of the reason and out of the error", async () => {
    const candidate = createOne();
    outcomes = [{ status: 401, body: '{"error":{"message":"wrong: A-secret-0"}}' }];
    await expect(createAttempts([candidate]).next()).rejects.toThrow("wrong: [redacted]");
    expect(candidate.connection.credentials[0]?.health.whole.reason).toBe("wrong: [redacted]");
  });
});

describe("an error whose body does not come", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is reported by its status after ten seconds", async () => {
    const { promise, reject } = Promise.withResolvers<Buffer>();
    const abort = vi.fn<() => void>(() => reject(new UpstreamFailure("aborted", true, "x")));
    const exchange = { status: 400, headers: {}, connectMs: 0, collect: () => promise, abort };
    outcomes = [exchange];
    const ended = expect(createAttempts([createCandidate("A")]).next()).rejects.toMatchObject({ status: 400 });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(abort).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(abort).toHaveBeenCalledOnce();
    await ended;
  });

  it("is not waited for once it is there, and is read up to a megabyte", async () => {
    const collect = vi.fn<(limit: number) => Promise<Buffer>>(() => Promise.resolve(Buffer.from("no JSON")));
    outcomes = [{ status: 400, headers: {}, collect } as never];
    await expect(createAttempts([createCandidate("A")]).next()).rejects.toMatchObject({ status: 400 });
    expect([collect.mock.calls, vi.getTimerCount()]).toEqual([[[1024 * 1024]], 0]);
    outcomes = [{ status: 400, headers: {}, collect: () => Promise.reject(new RangeError("a mistake")) } as never];
    await expect(createAttempts([createCandidate("A")]).next()).rejects.toThrow(RangeError);
  });
});
