import type { ConnectionView, CredentialHealth } from "../../gateway/contract/connection.ts";
import { writePlainText, type Notice } from "./notice.ts";
import type { Words } from "./words.ts";

/** Min milliseconds between notices of a flapping connection. */
export const OUTAGE_CALM_MS = 10 * 60_000;

/** The state of one connection. */
export interface Outage {
  /** Whether its outage was reported; only then is its end reported. */
  readonly isReported: boolean;
  readonly isDown: boolean;
  /** Moment of the last notice of its outage, monotonic ms; null for never. */
  readonly reportedAt: number | null;
}
export type Outages = ReadonlyMap<string, Outage>;

const DOWN: ReadonlySet<CredentialHealth["state"]> = new Set(["open", "refused", "out_of_credit"]);

/** Whether all its keys fail or are refused. A rate-limited connection is not down, and a locked one has its own notice. */
export function isDown(connection: ConnectionView): boolean {
  const { enabled, credentials } = connection;
  return enabled && credentials.length > 0 && credentials.every(({ state }) => DOWN.has(state));
}

function isBack({ enabled, credentials }: ConnectionView): boolean {
  return enabled && credentials.some(({ state }) => state === "ready" || state === "cooling");
}

export interface OutageStep {
  readonly known: Outages;
  readonly down: readonly ConnectionView[];
  readonly back: readonly ConnectionView[];
}

/**
 * Finds the connections that went down and those that recovered. Recovery is reported only after a reported outage; a
 * removed or disabled connection is dropped silently.
 * @param now monotonic, ms.
 */
export function createOutageStep(known: Outages, connections: readonly ConnectionView[], now: number): OutageStep {
  const next = new Map<string, Outage>();
  const down: ConnectionView[] = [];
  const back: ConnectionView[] = [];
  for (const connection of connections) {
    if (!connection.enabled) continue;
    const before = known.get(connection.id) ?? { isReported: false, isDown: false, reportedAt: null };
    if (isDown(connection)) {
      const calm = before.reportedAt === null || now - before.reportedAt >= OUTAGE_CALM_MS;
      const isNews = !before.isDown && calm;
      if (isNews) down.push(connection);
      next.set(connection.id, {
        isDown: true,
        isReported: before.isReported || isNews,
        reportedAt: isNews ? now : before.reportedAt,
      });
    } else if (before.isDown && isBack(connection)) {
      if (before.isReported) back.push(connection);
      next.set(connection.id, { isDown: false, isReported: false, reportedAt: before.reportedAt });
    } else {
      next.set(connection.id, before);
    }
  }
  return { known: next, down, back };
}

const opens = { page: "connections" };

function chooseReason({ credentials }: ConnectionView, { notices }: Words): string {
  const states = new Set(credentials.map(({ state }) => state));
  const state = states.has("open") ? notices.failing : states.has("refused") ? notices.refusedKey : notices.noCredit;
  return [state, writePlainText(credentials[0]?.reason ?? "")].filter((line) => line !== "").join("\n");
}

/** Several at the same time share one notice, because the network is the likely cause. */
export function listOutageNotices({ down, back }: OutageStep, words: Words): readonly Notice[] {
  const { notices } = words;
  const result: Notice[] = [];
  const [first] = down;
  const names = (connections: readonly ConnectionView[]) =>
    writePlainText(connections.map(({ name }) => name).join(", "));
  if (first !== undefined) {
    result.push(
      down.length === 1
        ? { title: notices.outage(writePlainText(first.name)), body: chooseReason(first, words), opens }
        : { title: notices.outages(down.length), body: names(down), opens },
    );
  }
  if (back.length > 0) {
    result.push({
      title: back.length === 1 ? notices.worksAgain(names(back)) : notices.workAgain(back.length),
      body: back.length === 1 ? "" : names(back),
      opens,
    });
  }
  return result;
}

/** Returns one notice for the connections whose keys the keychain does not open; null if no connection is locked. */
export function lockedNotice(connections: readonly ConnectionView[], { notices }: Words): Notice | null {
  const locked = connections.filter(({ credentials }) => credentials.some(({ state }) => state === "locked"));
  if (locked.length === 0) return null;
  const names = writePlainText(locked.map(({ name }) => name).join(", "));
  return { title: notices.locked, body: notices.lockedBody(names), opens };
}
