import type { Receipt } from "../../gateway/contract/receipt.ts";
import { completion, stream, streamFrames } from "./acts.ts";
import type { ChildGateway } from "./child-gateway.ts";
import type { MockProvider } from "./mock-provider.ts";
import { CHAT, KEY, until } from "./running-gateway.ts";

/** 10 prompt tokens at $2 and 5 answer tokens at $8 per million: what each finished call costs, nano USD. */
const CALL_NANO = 60_000;
const CLIENTS = 50;

/** What clients know for certain: they saw the last byte, or the response of the control API. */
interface Acknowledged {
  /** Request ids of calls whose end the client has seen. */
  readonly calls: Set<string>;
  readonly keys: Set<string>;
  readonly revoked: Set<string>;
}

export interface KillReport {
  /** Milliseconds from the spawn to the ready line, for each start. */
  readonly openings: number[];
  /** What was lost or doubled, as sentences; empty when all is well. */
  readonly broken: string[];
  readonly calls: number;
  readonly keys: number;
}

/** What runs a gateway: a process of its own, or a desktop app. */
export type Launch = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => Pick<ChildGateway, "ready" | "kill" | "exited">;

/**
 * Kills a gateway under the load of 50 clients, again and again on one folder, and looks after each start whether
 * something that was acknowledged is lost or doubled.
 * @param random numbers in [0, 1): when to kill.
 */
export async function killRounds(
  dataDir: string,
  provider: MockProvider,
  rounds: number,
  random: () => number,
  launch: Launch,
): Promise<KillReport> {
  const known: Acknowledged = { calls: new Set(), keys: new Set(), revoked: new Set() };
  const openings: number[] = [];
  const broken: string[] = [];
  provider.usual = (exchange) => (provider.chats.length % 3 === 0 ? completion() : stream(streamFrames(), 1))(exchange);
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now();
    const gateway = launch(["--port", "0", "--data-dir", dataDir, "--json"], {
      POSTERN_OPENAI_BASE_URL: provider.baseUrl,
      POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
      POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "clients", limit_usd: 1_000 }]),
    });
    const { url, ui } = await gateway.ready();
    openings.push(performance.now() - started);
    const bearer = await signIn(url, ui);
    for (const sentence of await look(url, bearer, known, provider)) broken.push(`after kill ${round}: ${sentence}`);
    if (round < rounds) await loadAndKill(gateway, url, bearer, known, 100 + random() * 600);
    else gateway.kill("SIGTERM");
    await gateway.exited;
  }
  return { openings, broken, calls: known.calls.size, keys: known.keys.size };
}

async function loadAndKill(
  gateway: ReturnType<Launch>,
  url: string,
  bearer: string,
  known: Acknowledged,
  ms: number,
): Promise<void> {
  const load = new AbortController();
  /** Repeats until the gateway is gone; what fails then was not acknowledged. */
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!load.signal.aborted) await work().catch(() => new Promise((resolve) => setTimeout(resolve, 5)));
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => repeat(() => call(url, index % 2 === 0, known)));
  const owner = repeat(() => changeKeys(url, bearer, known));
  const before = known.calls.size;
  await until(() => known.calls.size > before);
  await new Promise((resolve) => setTimeout(resolve, ms));
  gateway.kill("SIGKILL");
  load.abort();
  await Promise.all([...clients, owner]);
}

async function call(url: string, streaming: boolean, known: Acknowledged): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ ...CHAT, stream: streaming }),
  });
  const text = await response.text();
  const id = response.headers.get("x-request-id");
  const whole = streaming ? text.endsWith("data: [DONE]\n\n") : text.endsWith("}");
  if (response.status === 200 && whole && id !== null) known.calls.add(id);
}

async function changeKeys(url: string, bearer: string, known: Acknowledged): Promise<void> {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const made = await fetch(`${url}/control/keys`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "made under load", limit_usd: 3 }),
  });
  const { secret, key } = (await made.json()) as { secret: string; key: { id: string } };
  known.keys.add(secret);
  if ((known.keys.size + known.revoked.size) % 4 !== 0) return;
  const revoked = await fetch(`${url}/control/keys/${key.id}`, {
    method: "DELETE",
    headers: { authorization: headers.authorization },
  }).catch(() => null);
  // Without a response either outcome is right.
  known.keys.delete(secret);
  if (revoked?.status === 200) known.revoked.add(secret);
}

/** Compares what the gateway knows after a start with what clients and the provider know. */
async function look(url: string, bearer: string, known: Acknowledged, provider: MockProvider): Promise<string[]> {
  const broken: string[] = [];
  const receipts = await allReceipts(url, bearer);
  const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  if (byId.size !== receipts.length) broken.push(`${receipts.length - byId.size} receipts are listed twice`);
  for (const id of known.calls) {
    const receipt = byId.get(id);
    if (receipt === undefined) broken.push(`the finished call ${id} has no receipt`);
    else if (receipt.outcome !== "completed" || receipt.nano !== CALL_NANO)
      broken.push(`the finished call ${id} is ${receipt.outcome} at ${receipt.nano}`);
  }
  const completed = receipts.filter(({ outcome }) => outcome === "completed").length;
  if (completed > provider.chats.length)
    broken.push(`${completed} calls are charged, the provider had ${provider.chats.length}`);
  const usage = await fetch(`${url}/v1/dashboard/billing/usage`, { headers: { authorization: `Bearer ${KEY}` } });
  const cents = ((await usage.json()) as { total_usage: number }).total_usage;
  const nano = receipts.reduce((sum, receipt) => sum + (receipt.nano ?? 0), 0);
  if (Math.round(cents * 10_000_000) !== nano)
    broken.push(`the usage says ${cents} cents, the receipts ${nano / 10_000_000}`);
  for (const [secrets, status] of [
    [known.keys, 200],
    [known.revoked, 401],
  ] as const) {
    const wrong = await Promise.all(
      [...secrets].map(
        async (secret) =>
          (await fetch(`${url}/v1/models/gpt-4.1`, { headers: { authorization: `Bearer ${secret}` } })).status !==
          status,
      ),
    );
    const count = wrong.filter(Boolean).length;
    if (count > 0) broken.push(`${count} of ${secrets.size} keys are not answered ${status}`);
  }
  return broken;
}

async function signIn(url: string, ui: string): Promise<string> {
  const response = await fetch(`${url}/control/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: new URL(ui).hash.slice("#token=".length) }),
  });
  return ((await response.json()) as { bearer: string }).bearer;
}

async function allReceipts(url: string, bearer: string): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let before: string | null = ""; before !== null;) {
    const query: string = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
    const response = await fetch(`${url}/control/requests?limit=500${query}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const page = (await response.json()) as { data: Receipt[]; cursor: string | null };
    receipts.push(...page.data);
    before = page.cursor;
  }
  return receipts;
}
