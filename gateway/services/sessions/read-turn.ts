import { buildMessagesForm } from "../../codecs/gemini-to-chat/request.ts";
import type { Receipt } from "../../contract/receipt.ts";
import type { Recording } from "../../contract/requests.ts";
import type { SessionTurn } from "../../contract/sessions.ts";
import { newParts, trimPart } from "../../core/sessions/new-parts.ts";
import { listRequestParts } from "../../core/sessions/request-parts.ts";
import type { Part } from "../../core/sessions/request-parts.ts";
import { listResponseParts } from "../../core/sessions/response-parts.ts";
import { isRecord } from "../../lib/records.ts";
import { findRequest } from "../recordings/request-log.ts";
import type { FindDeps } from "../recordings/request-log.ts";

/** Max parts shown per turn; more are new if a session continues that was not recorded before. */
const MOST_PARTS = 200;
/** Max earlier receipts among which the previous request is searched; those of sub-agents lie in between. */
const LOOKED_AT = 100;
/** Max recordings read among them. */
const TRIES = 3;
const DAY_MS = 86_400_000;

/** Context parts before a request, and whether the previous request has them. */
interface Earlier {
  readonly id: string;
  readonly parts: readonly Part[];
  /** Whether its response is among the parts: what the agent repeats of it is not new. */
  readonly responded: boolean;
}

/** Reads the parts of a session's request that the previous one did not have, and its response, from both recordings. */
export class ReadTurn {
  readonly #deps: FindDeps;

  constructor(deps: FindDeps) {
    this.#deps = deps;
  }

  /** @param id of the request @throws GatewayError not_found */
  async read(id: string): Promise<SessionTurn> {
    const { receipt, recording } = await findRequest(this.#deps, id);
    const { on: recording_on } = this.#deps.recorder;
    if (recording === null) {
      return { id, recording_on, recorded: false, after: null, asked: [], repeated: 0, more: 0, responded: [] };
    }
    const requestParts = readRequestParts(recording);
    const earlier = await this.#before(receipt);
    const fresh = earlier === null ? requestParts : newParts(earlier.parts, requestParts);
    const shown = earlier?.responded === true ? fresh.filter(({ role }) => role !== "assistant") : fresh;
    return {
      id,
      recording_on,
      recorded: true,
      after: earlier?.id ?? null,
      // The last parts are the current question.
      asked: shown.slice(-MOST_PARTS).map(trimPart),
      repeated: requestParts.length - shown.length,
      more: Math.max(0, shown.length - MOST_PARTS),
      responded: readResponseParts(recording).map(trimPart),
    };
  }

  async #before(receipt: Receipt): Promise<Earlier | null> {
    const { session, at, ms } = receipt;
    if (session === undefined) return null;
    const startedAt = Math.floor(at - ms);
    const { store, recorder } = this.#deps;
    const window = { since: Math.max(0, startedAt - DAY_MS), until: startedAt + 1 };
    const page = await store.usage.list({ session, ...window, limit: LOOKED_AT });
    const turns = page.data.filter((each) => each.id !== receipt.id && isOfSame(each, receipt)).slice(0, TRIES);
    for (const [index, turn] of turns.entries()) {
      const recording = await recorder.find(turn.id, [turn.at, turn.at - turn.ms]);
      if (recording === null) continue;
      const responded = readResponseParts(recording);
      return {
        id: turn.id,
        parts: [...readRequestParts(recording), ...responded],
        responded: index === 0 && responded.length > 0,
      };
    }
    return null;
  }
}

/** Whether one may be the turn before another: of the same agent, in the same dialect, and no call next to the conversation. */
function isOfSame(earlier: Receipt, { agent, endpoint, kinds }: Receipt): boolean {
  return (
    earlier.agent === agent &&
    earlier.endpoint === endpoint &&
    (earlier.kinds?.includes("background") ?? false) === (kinds?.includes("background") ?? false)
  );
}

function readRequestParts({ request }: Recording): Part[] {
  try {
    const body: unknown = JSON.parse(request.text);
    if (!isRecord(body)) return [];
    // Google's dialect is read in the form in which it is translated.
    return listRequestParts(Array.isArray(body["contents"]) ? buildMessagesForm(body) : body);
  } catch {
    // It was cut.
    return [];
  }
}

function readResponseParts({ response }: Recording): Part[] {
  if (response === null) return [];
  return listResponseParts(response.chunks.map(({ text }) => text).join(""), response.type);
}
